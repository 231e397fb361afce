/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/background.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/execute.h"
#include "exec/native.h"
#include "exec/own.h"
#include "exec/patience.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct star_background *first;
    int64_t open;    /* errands, */
    int64_t waiting; /* and agreements, of all communicators */
    bool polls;      /* the MPI library may make progress in what is called of it meanwhile */
} all;

static bool is_forced(void)
{
    return star_runtime.settings.nonblocking == STAR_NONBLOCKING_PLANS;
}

bool star_background_takes(const struct star_call *call, const struct star_communicator *state,
                           struct star_facts *facts)
{
    static const int64_t most = INT64_C(1) << 30;
    return star_ways_serve(call->operation) && star_servers[call->operation].facts(call, state, facts) &&
           !facts->wrong && !facts->own_operator && facts->bytes <= most / state->size;
}

/* Setting up. */

/* Sums of all figures, by messages of their own. NULL: there is no memory. */
static struct star_runner *new_agreeing(int size, int rank)
{
    STAR_FPENV_DEFAULT;
    struct star_shape shape = star_shape_of(size, sizeof(struct star_course_figures));
    struct star_method method;
    struct star_plan *plan;
    shape.rank = rank;
    shape.granule = sizeof(int64_t);
    shape.shares = false;
    if (star_method_parse("allreduce:rdb", &method, NULL) != 0 ||
        star_method_plan(&method, &shape, INT64_MAX, &plan, NULL) != 0)
        return NULL;
    return star_runner_new(plan);
}

static void dispose(struct star_background *background)
{
    *(background->before != NULL ? &background->before->behind : &all.first) = background->behind;
    if (background->behind != NULL)
        background->behind->before = background->before;
    for (int i = 0; i < STAR_BACKGROUND_KINDS; i++) {
        if (background->kinds[i] != NULL)
            star_ways_free(background->kinds[i]->ways, background->kinds[i]->count);
        free(background->kinds[i]);
        star_runner_free(background->agreeing[i]);
    }
    free(background->ranks);
    free(background);
}

static bool is_filled(struct star_background *background)
{
    size_t bytes = (size_t)background->size * sizeof(int);
    if (background->state->route.ranks != NULL) {
        background->ranks = malloc(bytes);
        if (background->ranks == NULL)
            return false;
        memcpy(background->ranks, background->state->route.ranks, bytes);
        background->route.ranks = background->ranks;
    }
    for (int i = 0; i < STAR_BACKGROUND_KINDS; i++) {
        background->kinds[i] = calloc(1, sizeof(struct star_kind));
        background->agreeing[i] = new_agreeing(background->size, background->rank);
        if (background->kinds[i] == NULL || background->agreeing[i] == NULL)
            return false;
    }
    return true;
}

static struct star_background *new_background(struct star_communicator *state)
{
    struct star_background *background = calloc(1, sizeof *background);
    if (background == NULL)
        return NULL;
    *background = (struct star_background){
        .state = state, .size = state->size, .rank = state->rank, .route = state->route, .behind = all.first};
    if (all.first != NULL)
        all.first->before = background;
    all.first = background;
    if (is_filled(background))
        return background;
    dispose(background);
    return NULL;
}

static bool asks(struct star_communicator *state)
{
    int over = 0;
    if (state->consent.asked &&
        (star_native.Test(&state->consent.request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS || over))
        state->consent.asked = false;
    return state->consent.asked;
}

/* Whoever has no memory says so, and needs none for that. */
void star_background_open(struct star_communicator *state, MPI_Comm comm, bool able)
{
    bool nested = all.polls;
    all.polls = true;
    state->background = able ? new_background(state) : NULL;
    state->planless = state->background == NULL;
    state->consent.own = state->background != NULL;
    state->consent.all = 0;
    star_own(true);
    state->consent.asked = STAR_BEGIN_ALLREDUCE(&state->consent.own, &state->consent.all, 1, MPI_INT, MPI_MIN,
                                                comm, &state->consent.request) == MPI_SUCCESS;
    star_own(false);
    all.polls = nested;
}

/* False: it is not known yet. */
static bool has_consent(struct star_background *background)
{
    struct star_communicator *state = background->state;
    if (background->consent == STAR_CONSENT_ASKED && state != NULL && !asks(state))
        background->consent = state->consent.all > 0 ? STAR_CONSENT_YES : STAR_CONSENT_NO;
    return background->consent == STAR_CONSENT_YES;
}

/* Agreements. */

static struct star_route route_of(const struct star_background *background, int64_t number, bool agrees)
{
    int channel = (int)(number % STAR_UNDER_WAY) + (agrees ? STAR_UNDER_WAY : 0);
    return star_route_beside(&background->route, channel);
}

/* May there be one before it that goes by the same channel? Such begin one after another. */
static bool is_behind(const struct star_background *background, int64_t number)
{
    for (const struct star_errand *errand = background->first; errand != NULL && errand->number < number;
         errand = errand->behind)
        if (errand->number % STAR_UNDER_WAY == number % STAR_UNDER_WAY &&
            (!errand->known || errand->step.way > 0))
            return true;
    return false;
}

static bool agrees_behind(const struct star_background *background, int64_t number)
{
    for (int i = 0; i < background->count; i++) {
        const struct star_agreement *other = &background->kinds[i]->agreement;
        if (other->state != STAR_AGREEMENT_NONE && other->number < number &&
            other->number % STAR_UNDER_WAY == number % STAR_UNDER_WAY)
            return true;
    }
    return is_behind(background, number);
}

static void plan_agreement(struct star_kind *kind, int64_t number)
{
    kind->agreement.state = STAR_AGREEMENT_WAITS;
    kind->agreement.number = number;
    kind->of->agreements++;
    all.waiting++;
}

/* What this rank brings: what it can do; or what calls took. */
static void fill_figures(struct star_kind *kind, struct star_course_figures *own)
{
    bool makes = kind->course.phase == STAR_COURSE_MAKING && kind->of->state != NULL && !star_is_paused();
    kind->depth = star_course_depth(kind->open);
    *own = (struct star_course_figures){.depths = {0}};
    own->depths[kind->depth] = 1;
    for (int i = 0; i < kind->count; i++) {
        struct star_track *way = &kind->ways[i];
        own->able[i] = makes && i > 0 && (way->made > 0 || star_track_make(way, &kind->shape));
        own->nanoseconds[i] = star_series_mean(&way->series);
    }
}

static int begin_agreement(struct star_kind *kind)
{
    struct star_agreement *agreement = &kind->agreement;
    const struct star_route route = route_of(kind->of, agreement->number, true);
    struct star_buffers buffers = {.op = MPI_SUM};
    fill_figures(kind, &agreement->own);
    int error = star_side_renew(&buffers.send, &agreement->own, MPI_INT64_T);
    if (error == MPI_SUCCESS)
        error = star_side_renew(&buffers.recv, &agreement->sums, MPI_INT64_T);
    agreement->state = STAR_AGREEMENT_RUNS;
    star_own(true);
    if (error == MPI_SUCCESS)
        error = star_execute_begin(&agreement->run, agreement->runner, &buffers, &route);
    star_own(false);
    return error;
}

/* What fails brings nothing: then no plan is able, and no time is known. */
static void end_agreement(struct star_kind *kind, int error)
{
    struct star_agreement *agreement = &kind->agreement;
    if (error != MPI_SUCCESS)
        agreement->sums = (struct star_course_figures){.depths[0] = 1};
    agreement->state = STAR_AGREEMENT_NONE;
    kind->of->agreements--;
    all.waiting--;
    kind->open = 0;
    star_course_agreed(&kind->course, &agreement->sums, kind->of->size);
}

static void go_on_agreeing(struct star_kind *kind)
{
    struct star_agreement *agreement = &kind->agreement;
    int error = MPI_SUCCESS;
    bool done = false;
    if (agreement->state == STAR_AGREEMENT_WAITS && kind->of->consent == STAR_CONSENT_NO) {
        end_agreement(kind, MPI_ERR_OTHER);
        return;
    }
    if (agreement->state == STAR_AGREEMENT_WAITS && has_consent(kind->of) &&
        !agrees_behind(kind->of, agreement->number))
        error = begin_agreement(kind);
    if (agreement->state != STAR_AGREEMENT_RUNS)
        return;
    star_own(true);
    if (error == MPI_SUCCESS)
        error = star_execute_progress(&agreement->run, &done);
    star_own(false);
    if (done || error != MPI_SUCCESS)
        end_agreement(kind, error);
}

/* Calls. */

static bool is_known(struct star_background *background, const struct star_kind *kind)
{
    return background->consent == STAR_CONSENT_NO || !star_course_waits(&kind->course);
}

/* Which way the next call of the kind goes; there an agreement may begin. */
static struct star_course_step step_of(struct star_kind *kind, int64_t number)
{
    if (kind->of->consent == STAR_CONSENT_NO)
        return (struct star_course_step){.way = 0};
    struct star_course_step step = star_course_next(&kind->course);
    if (step.agrees)
        plan_agreement(kind, number);
    return step;
}

static void link_errand(struct star_background *background, struct star_errand *errand)
{
    errand->before = background->last;
    *(background->last != NULL ? &background->last->behind : &background->first) = errand;
    background->last = errand;
    all.open++;
}

static void unlink_errand(struct star_background *background, struct star_errand *errand)
{
    *(errand->before != NULL ? &errand->before->behind : &background->first) = errand->behind;
    *(errand->behind != NULL ? &errand->behind->before : &background->last) = errand->before;
    all.open--;
}

static void find_way(struct star_errand *errand)
{
    struct star_kind *kind = errand->kind;
    if (errand->known || !is_known(kind->of, kind))
        return;
    errand->step = step_of(kind, errand->number);
    errand->known = true;
    kind->unknown--;
}

/* Those that the MPI library is to make begin in the order of the program. */
static bool all_known_before(const struct star_errand *errand)
{
    for (const struct star_errand *other = errand->before; other != NULL; other = other->before)
        if (!other->known || (other->step.way == 0 && other->state == STAR_ERRAND_WAITS))
            return false;
    return true;
}

static void start(struct star_errand *errand)
{
    struct star_kind *kind = errand->kind;
    struct star_track *way = &kind->ways[errand->step.way];
    if (errand->state != STAR_ERRAND_WAITS || !errand->known)
        return;
    if (errand->step.way == 0) {
        if (all_known_before(errand))
            star_errand_run_natively(errand);
        return;
    }
    if (is_behind(kind->of, errand->number))
        return;
    struct star_runner *runner = star_track_take(way, kind->of->state != NULL ? &kind->shape : NULL);
    if (runner == NULL)
        return;
    const struct star_route route = route_of(kind->of, errand->number, false);
    way->calls++;
    star_errand_run(errand, runner, &route);
}

/* Where an agreement has begun at a call by a plan, the call ends no earlier: who has ended it knows. */
static bool is_tied(const struct star_errand *errand)
{
    const struct star_agreement *agreement = &errand->kind->agreement;
    return errand->step.agrees && errand->step.way > 0 && agreement->state != STAR_AGREEMENT_NONE &&
           agreement->number == errand->number;
}

/* True: it is over. */
static bool go_on(struct star_errand *errand)
{
    struct star_kind *kind = errand->kind;
    find_way(errand);
    start(errand);
    if (errand->runner != NULL && star_errand_goes_on(errand)) {
        star_track_give(&kind->ways[errand->step.way], errand->runner);
        errand->runner = NULL;
        errand->moved = true;
    } else if (errand->state == STAR_ERRAND_RUNS_NATIVELY && !errand->moved)
        errand->moved = star_errand_goes_on(errand);
    if (!errand->moved || is_tied(errand))
        return false;
    unlink_errand(kind->of, errand);
    star_errand_end(errand);
    return true;
}

static int go_on_with(struct star_background *background)
{
    int ended = 0;
    if (background->consent == STAR_CONSENT_ASKED)
        has_consent(background);
    for (int i = 0; background->agreements > 0 && i < background->count; i++)
        go_on_agreeing(background->kinds[i]);
    for (struct star_errand *next, *errand = background->first; errand != NULL; errand = next) {
        next = errand->behind;
        ended += go_on(errand);
    }
    return ended;
}

static int poll(void)
{
    int ended = 0;
    all.polls = true;
    for (struct star_background *next, *background = all.first; background != NULL; background = next) {
        next = background->behind;
        if (background->first != NULL || background->agreements > 0)
            ended += go_on_with(background);
        if (background->state == NULL && background->first == NULL && background->agreements == 0)
            dispose(background);
    }
    all.polls = false;
    return ended;
}

int star_background_poll(void)
{
    return all.open + all.waiting == 0 || all.polls ? 0 : poll();
}

static struct star_kind *new_kind(struct star_background *background, enum star_operation operation,
                                  const struct star_facts *facts)
{
    struct star_kind *kind = background->kinds[background->count];
    kind->of = background;
    kind->operation = operation;
    kind->facts = *facts;
    kind->shape = star_shape_for(background->state, operation, facts);
    kind->shape.shares = false;
    kind->count = star_ways_find(kind->ways, operation, &kind->shape, is_forced());
    kind->course = star_course_new(kind->count, is_forced());
    kind->agreement.runner = background->agreeing[background->count++];
    return kind;
}

/* Of sizes past the bound there is none. All ranks find the same. */
static struct star_kind *kind_of(struct star_background *background, enum star_operation operation,
                                 const struct star_facts *facts)
{
    for (int i = 0; i < background->count; i++) {
        struct star_kind *kind = background->kinds[i];
        if (kind->operation == operation && kind->facts.bytes == facts->bytes &&
            kind->facts.granule == facts->granule && kind->facts.commutative == facts->commutative)
            return kind;
    }
    return background->count < STAR_BACKGROUND_KINDS ? new_kind(background, operation, facts) : NULL;
}

/* The MPI library says what is wrong. Reductions of elements with gaps are its as well. */
static bool has_buffers(struct star_kind *kind, const struct star_call *call, const struct star_facts *facts)
{
    const struct star_server *server = &star_servers[call->operation];
    return server->buffers(call, kind->of->state, facts, &kind->buffers) == MPI_SUCCESS &&
           (!star_operations[call->operation].expected.reduces || kind->buffers.recv.dense) &&
           star_errand_is_right(call, &kind->buffers);
}

static void begin(struct star_kind *kind, struct star_errand *errand, MPI_Request *request)
{
    *request = errand->general.request;
    errand->kind = kind;
    kind->unknown += !errand->known;
    link_errand(kind->of, errand);
    kind->open = all.open > kind->open ? all.open : kind->open;
    go_on_with(kind->of);
}

bool star_background_begin(const struct star_call *call, struct star_communicator *state,
                           const struct star_facts *facts, MPI_Request *request, int *error)
{
    struct star_background *background = state->background;
    struct star_course_step step = {.way = 0};
    star_samples_end();
    struct star_kind *kind = kind_of(background, call->operation, facts);
    if (kind == NULL || kind->count == 1 || request == NULL || !has_buffers(kind, call, facts))
        return false;
    bool nested = all.polls;
    all.polls = true;
    int64_t number = background->number++;
    if (kind->calls++ == 0 && kind->course.forced)
        plan_agreement(kind, number);
    has_consent(background);
    bool known = kind->unknown == 0 && is_known(background, kind);
    if (known)
        step = step_of(kind, number);
    kind->ways[0].calls += known && step.way == 0;
    if (step.timed)
        star_samples_time(&kind->ways[step.way].series);
    if (known && step.way == 0) {
        all.polls = nested;
        return false;
    }
    struct star_errand *errand = star_errand_new(call, &kind->buffers, &kind->shape);
    *error = errand != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (errand != NULL) {
        errand->number = number;
        errand->step = step;
        errand->known = known;
        begin(kind, errand, request);
    }
    all.polls = nested;
    star_samples_began();
    return true;
}

/* So many calls have begun, and none has ended, that some of them may be the MPI library's. */
static bool is_far(const struct star_background *background)
{
    for (int i = 0; i < background->count; i++) {
        const struct star_kind *kind = background->kinds[i];
        if (!kind->course.forced && kind->course.phase == STAR_COURSE_TRIAL &&
            kind->unknown > star_course_settles(kind->depth))
            return true;
    }
    return false;
}

void star_background_hold(const struct star_communicator *state)
{
    int turns = 0;
    while (state->background != NULL && is_far(state->background) &&
           star_wait(star_runtime.crowded, &turns, star_runtime.messages) == MPI_SUCCESS)
        star_background_poll();
}

/* The end. */

/* What may be the MPI library's goes on the program's communicator. */
static bool needs_communicator(const struct star_background *background)
{
    for (const struct star_errand *errand = background->first; errand != NULL; errand = errand->behind)
        if (!errand->known || (errand->step.way == 0 && errand->state == STAR_ERRAND_WAITS))
            return true;
    return false;
}

void star_background_leave(struct star_communicator *state)
{
    struct star_background *background = state->background;
    int turns = 0;
    while ((asks(state) || (background != NULL && needs_communicator(background))) &&
           star_wait(star_runtime.crowded, &turns, star_runtime.messages) == MPI_SUCCESS)
        star_background_poll();
    state->planless = true;
    state->background = NULL;
    if (background == NULL)
        return;
    has_consent(background);
    background->state = NULL;
    for (int i = 0; i < STAR_BACKGROUND_KINDS; i++)
        star_samples_forget(background->kinds[i], sizeof *background->kinds[i]);
    if (background->first == NULL && background->agreements == 0)
        dispose(background);
}

void star_background_end(void)
{
    int turns = 0;
    while (all.waiting > 0 && star_wait(star_runtime.crowded, &turns, star_runtime.messages) == MPI_SUCCESS)
        star_background_poll();
    all.open = all.waiting = 0;
}

/* Figures. */

static double seconds_of(const struct star_track *track)
{
    return star_series_mean(&track->series) * 1e-9;
}

/* As of calls by shared memory: see begun.c. */
static void weigh(struct star_balance *balance, const struct star_kind *kind)
{
    double natively = seconds_of(&kind->ways[0]);
    double price = (double)kind->calls * (double)star_runtime.reading * 1e-12;
    balance->saved -= price;
    balance->error += price;
    for (int i = 1; i < kind->count; i++) {
        const struct star_track *track = &kind->ways[i];
        if (natively == 0 || star_series_mean(&track->series) == 0)
            continue;
        balance->known = true;
        balance->saved += (double)track->calls * (natively - seconds_of(track));
        balance->error += (double)track->calls * (natively + seconds_of(track)) / 4;
    }
}

struct star_balance star_background_balance(const struct star_communicator *state)
{
    STAR_FPENV_DEFAULT;
    struct star_balance balance = {.saved = 0};
    for (int i = 0; state->background != NULL && i < state->background->count; i++)
        weigh(&balance, state->background->kinds[i]);
    return balance;
}

/* This rank's own times: the last agreement's are of all. */
static void tell_kind(struct star_text *text, const struct star_kind *kind)
{
    char name[STAR_METHOD_TEXT];
    const struct star_course_figures *sums = &kind->agreement.sums;
    int best = kind->course.plan;
    int64_t served = 0;
    for (int i = 1; i < kind->count; i++)
        served += kind->ways[i].calls;
    star_text_add(text, ",\n");
    star_json_open(text, NULL, '{');
    snprintf(name, sizeof name, "i%s", star_operations[kind->operation].name);
    star_json_string(text, "operation", name);
    star_json_integer(text, "ranks", kind->of->size);
    star_json_integer(text, "bytes_most", kind->facts.bytes);
    star_json_integer(text, "calls", kind->calls);
    star_json_integer(text, "plan_calls", served);
    if (sums->nanoseconds[0] > 0)
        star_json_number(text, "native_seconds_per_call",
                         (double)sums->nanoseconds[0] * 1e-9 / kind->of->size);
    if (best > 0 && sums->nanoseconds[best] > 0) {
        star_json_string(text, "method", star_method_format(&kind->ways[best].method, name, sizeof name));
        star_json_number(text, "plan_seconds_per_call",
                         (double)sums->nanoseconds[best] * 1e-9 / kind->of->size);
    }
    star_json_close(text, '}');
}

void star_background_tell(const struct star_communicator *state, struct star_text *text)
{
    for (int i = 0; state->background != NULL && i < state->background->count; i++)
        if (state->background->kinds[i]->course.able != 0)
            tell_kind(text, state->background->kinds[i]);
}
