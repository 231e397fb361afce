/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/backlog.h"
#include "exec/patience.h"
#include "runtime/notice.h"
#include "runtime/session.h"
#include "util/spare.h"

#include <stdlib.h>

static struct star_background *all; /* of this process */
/* Held are errands, and communicators that are no more and still have something. */
atomic_int star_backlog_held;

/* What ranks with memory go on with, one without must, too. */
STAR_SPARES(struct star_background, spare_background, 16);
STAR_SPARES(struct star_background_context, spare_context, 64);

struct star_background *star_backlog_new(struct star_communicator *state, MPI_Comm comm)
{
    struct star_background *made = star_spare_new(&spare_background);
    if (made == NULL)
        return NULL;
    *made = (struct star_background){.state = state,
                                     .comm = comm,
                                     .size = state->size,
                                     .rank = state->rank,
                                     .anchor = MPI_REQUEST_NULL,
                                     .behind = all};
    if (all != NULL)
        all->before = made;
    all = made;
    return made;
}

struct star_background_context *star_backlog_context(struct star_background *of)
{
    enum { MOST = 64 };
    struct star_background_context *made = of->count < MOST ? star_spare_new(&spare_context) : NULL;
    if (made != NULL) {
        made->next = of->contexts;
        of->contexts = made;
        of->count++;
    }
    return made;
}

static void end(struct star_background *of, struct star_errand *errand, int error)
{
    if (errand->lane >= 0)
        of->lanes[errand->lane] = NULL;
    star_general_hold(-1);
    star_errand_end(errand, error);
}

static void append(struct star_errand **first, struct star_errand **last, struct star_errand *errand)
{
    errand->next = NULL;
    *(*first != NULL ? &(*last)->next : first) = errand;
    *last = errand;
}

static int begin_plan(struct star_background *of, struct star_errand *errand, int lane,
                      struct star_runner *runner, bool *done)
{
    struct star_route route = of->route;
    route.tag += STAR_TAG_OF_LANES + lane * STAR_TAGS_OF_LANE;
    errand->lane = lane;
    of->lanes[lane] = errand;
    of->plans++;
    errand->context->tuned->ran[errand->candidate]++;
    return star_errand_begin(errand, runner, &route, done);
}

/* The first one that is ready. False: its lane, or its plan, is another one's still. */
static bool begin_ready(struct star_background *of)
{
    struct star_errand *errand = of->ready;
    int lane = (int)(of->plans % STAR_LANES);
    bool done;
    if (errand->idles) { /* the others' plan takes its lane */
        of->ready = errand->next;
        of->plans++;
        end(of, errand, MPI_SUCCESS);
        return true;
    }
    struct star_runner *runner =
        of->lanes[lane] == NULL ? star_background_runner(of, errand->context, errand->candidate, lane) : NULL;
    if (runner == NULL)
        return false;
    of->ready = errand->next;
    int error = begin_plan(of, errand, lane, runner, &done);
    if (done)
        end(of, errand, error);
    return true;
}

static void begin_natively(struct star_background *of, struct star_errand *errand)
{
    bool done;
    int error = star_errand_begin_natively(errand, &done);
    if (done) {
        end(of, errand, error);
    } else {
        errand->next = of->natives;
        of->natives = errand;
    }
}

/* The first one that is put off. False: what the ranks have told has not come out. */
static bool decide(struct star_background *of)
{
    struct star_errand *errand = of->first;
    struct star_background_context *context = errand->context;
    bool timed;
    errand->candidate = context != NULL ? star_background_candidate(of, context, errand->number, &timed) : 0;
    if (errand->candidate == STAR_TURN_NONE)
        return false;
    of->first = errand->next;
    if (errand->candidate > 0)
        append(&of->ready, &of->ready_last, errand);
    else
        begin_natively(of, errand);
    star_backlog_held--; /* not before: until then another thread must not free what the call needs */
    return true;
}

static int go_on(struct star_background *of)
{
    int ended = 0;
    bool done;
    for (int i = 0; i < STAR_LANES; i++)
        if (of->lanes[i] != NULL) {
            struct star_errand *errand = of->lanes[i];
            int error = star_errand_go_on(errand, &done);
            if (done) {
                end(of, errand, error);
                ended++;
            }
        }
    for (struct star_errand **link = &of->natives; *link != NULL;) {
        struct star_errand *errand = *link;
        int error = star_errand_go_on(errand, &done);
        if (done) {
            *link = errand->next;
            end(of, errand, error);
            ended++;
        } else {
            link = &errand->next;
        }
    }
    while (of->first != NULL && decide(of))
        ;
    while (of->ready != NULL && begin_ready(of))
        ;
    return ended;
}

static void dispose(struct star_background *of)
{
    if (of->anchor != MPI_REQUEST_NULL)
        PMPI_Request_free(&of->anchor);
    *(of->before != NULL ? &of->before->behind : &all) = of->behind;
    if (of->behind != NULL)
        of->behind->before = of->before;
    for (struct star_background_context *next, *context = of->contexts; context != NULL; context = next) {
        next = context->next;
        star_background_end_context(of, context);
        star_spare_free(&spare_context, context);
    }
    free(of->ranks);
    star_spare_free(&spare_background, of);
}

static bool is_over(struct star_background *of)
{
    bool over = of->first == NULL && of->ready == NULL && of->natives == NULL;
    for (int i = 0; i < STAR_LANES; i++)
        over = over && of->lanes[i] == NULL;
    for (struct star_background_context *context = of->contexts; over && context != NULL;
         context = context->next)
        over = star_background_is_silent(context);
    return over;
}

static bool moves; /* the MPI library may make progress in what is called of it meanwhile */

static int move_all(void)
{
    int ended = 0;
    if (moves)
        return 0;
    moves = true;
    for (struct star_background *next, *of = all; of != NULL; of = next) {
        next = of->behind;
        ended += go_on(of);
        if (of->state == NULL && is_over(of)) {
            star_general_hold(-1);
            dispose(of);
        }
    }
    moves = false;
    return ended;
}

int star_backlog_poll(void)
{
    if (atomic_load_explicit(&star_general_held, memory_order_relaxed) == 0)
        return 0;
    if (!star_notices_trylock())
        return 0;
    int ended = move_all();
    star_notices_unlock();
    return ended;
}

int star_backlog_add(struct star_background *of, struct star_background_context *context, int64_t number,
                     int candidate, const struct star_call *call, const struct star_facts *facts,
                     MPI_Request *request)
{
    bool nested = moves;
    moves = true;
    struct star_errand *errand;
    int error = star_errand_new(call, of->size, of->rank, context != NULL ? facts : NULL, &errand);
    if (errand != NULL) {
        errand->context = context;
        errand->number = number;
        errand->candidate = candidate;
        if (!errand->idles)
            *request = errand->general.request;
        star_general_hold(1);
        if (candidate == STAR_TURN_NONE) {
            append(&of->first, &of->last, errand);
            star_backlog_held++;
        } else {
            append(&of->ready, &of->ready_last, errand);
        }
        go_on(of);
    }
    moves = nested;
    return errand != NULL ? error : STAR_BACKLOG_FULL;
}

static void wait_a_while(int *turns)
{
    star_backlog_poll();
    star_wait(star_runtime.crowded, turns, star_runtime.messages);
}

void star_backlog_settle(const struct star_communicator *state)
{
    int turns = 0;
    while (state->background != NULL && state->background->first != NULL)
        wait_a_while(&turns);
}

int star_backlog_await(struct star_background *of, struct star_background_context *context, int64_t number)
{
    int turns = 0, candidate = STAR_TURN_NONE;
    bool timed;
    for (;;) {
        if (of->first == NULL)
            candidate = context != NULL ? star_background_candidate(of, context, number, &timed) : 0;
        if (candidate != STAR_TURN_NONE)
            break;
        star_notices_unlock();
        wait_a_while(&turns);
        star_notices_lock();
    }
    of->plans += candidate > 0;
    return candidate;
}

/* What is put off or told on it comes to its end all the same, and nobody waits for that. */
void star_backlog_leave(struct star_communicator *state)
{
    struct star_background *of = state->background;
    if (of == NULL)
        return;
    star_notices_lock();
    bool nested = moves;
    moves = true;
    state->background = NULL;
    state->background_natively = true;
    of->state = NULL;
    if (is_over(of)) {
        dispose(of);
    } else {
        star_general_hold(1);
        star_background_keep(of);
    }
    moves = nested;
    star_notices_unlock();
}

void star_backlogs_end(void)
{
    int turns = 0;
    while (all != NULL && star_general_held > 0)
        wait_a_while(&turns);
}
