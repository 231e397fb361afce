/* SPDX-License-Identifier: BSD-3-Clause
 * Contexts: what is tuned independently. */
#include "runtime/context.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "algorithms/traits.h"
#include "plan/plan.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/forecast.h"
#include "runtime/log.h"
#include "runtime/maps.h"
#include "runtime/opened.h"
#include "runtime/pause.h"
#include "runtime/policy.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/site.h"
#include "runtime/state.h"
#include "runtime/warn.h"
#include "runtime/wisdom.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/stall.h"
#include "tuner/strategies.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/random.h"
#include "util/seconds.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One method always: the forced one or the map's, where it applies. */
static bool choose_forced(struct star_context *context, const struct star_method *forced,
                          const struct star_shape *shape)
{
    struct star_why why;
    context->candidates.at = malloc(2 * sizeof *forced); /* should it be wrong, native too */
    if (context->candidates.at == NULL)
        return false;
    context->candidates.at[0] = *forced;
    context->candidates.count = 1;
    if (star_method_applies(forced, shape, &why) == 0)
        return true;
    star_warn(STAR_WARN_FORCE, shape->rank, "%s; native runs instead", why.text);
    context->candidates.at[0] = star_native_of(context->operation);
    return true;
}

/* With the traits of the candidates, where the strategy looks at them. */
static struct star_tuner *new_tuner(const struct star_methods *candidates, const int *groups, bool leads)
{
    bool meet = star_operation_awaits_all(candidates->at[0].algorithm->operation);
    struct star_tuning tuning =
        star_tuning_of(&star_runtime.settings, meet ? STAR_RANKS_MEET : STAR_RANKS_AHEAD);
    struct star_traits traits = {0};
    int16_t *values = NULL;
    if (star_strategy_wants_traits(tuning.strategy)) {
        values = star_methods_traits(candidates, STAR_ATTRIBUTES_MAX, &traits.attributes);
        if (values == NULL)
            return NULL;
        traits.value = values;
    }
    struct star_tuner *tuner = star_tuner_new(&tuning, groups, &traits, candidates->count, leads);
    free(values);
    return tuner;
}

static bool choose_candidates(struct star_context *context, const struct star_communicator *state)
{
    struct star_shape shape = star_shape_for(state, context->operation, &context->facts);
    const struct star_method *forced = star_methods_first(&star_runtime.force, context->operation);
    if (forced != NULL)
        return choose_forced(context, forced, &shape);
    if (star_maps_know(context->operation)) {
        struct star_method mapped = star_maps_choose(context->operation, &shape, context->facts.bytes);
        return choose_forced(context, &mapped, &shape);
    }
    int *groups;
    if (star_candidates(&star_runtime.only, context->operation, &shape, context->facts.bytes,
                        star_keeps_rank_order(context->operation), &context->candidates, &groups))
        return false;
    if (context->candidates.count > STAR_CANDIDATES_MAX)
        context->candidates.count = STAR_CANDIDATES_MAX;
    context->tuner = new_tuner(&context->candidates, groups, state->rank == 0);
    free(groups);
    return context->tuner != NULL;
}

static struct star_context *make(struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts, uint64_t site)
{
    STAR_FPENV_DEFAULT;
    struct star_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->operation = operation;
    context->facts = *facts;
    context->site = site;
    context->current = -1;
    bool made =
        star_contexts_make_room(&state->contexts, operation, site) && choose_candidates(context, state);
    if (made) {
        context->tally = calloc((size_t)context->candidates.count + 1, sizeof *context->tally);
        if (state->rank == 0)
            context->history = calloc(STAR_HISTORY_MAX, sizeof *context->history);
        made = context->tally && (context->history || state->rank != 0);
    }
    if (!made) {
        star_context_free(NULL, context);
        return NULL;
    }
    return context;
}

enum { SPARE = 32 };
static struct spare_context {
    atomic_bool taken;
    struct star_context context;
    struct star_method native;
    struct star_tally tally[2];
} spare[SPARE];

struct star_context *star_context_stub(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site)
{
    for (int i = 0; i < SPARE; i++)
        if (!atomic_exchange(&spare[i].taken, true)) {
            struct star_context *context = &spare[i].context;
            spare[i].native = star_native_of(operation);
            memset(spare[i].tally, 0, sizeof spare[i].tally);
            *context = (struct star_context){.operation = operation,
                                             .facts = *facts,
                                             .site = site,
                                             .current = -1,
                                             .candidates = {&spare[i].native, 1},
                                             .tally = spare[i].tally,
                                             .stub = true,
                                             .next = state->contexts.first};
            state->contexts.first = context;
            state->stubs++;
            return context;
        }
    return NULL;
}

static void free_stub(struct star_context *context)
{
    free(context->variants);
    for (int i = 0; i < SPARE; i++)
        if (context == &spare[i].context)
            atomic_store(&spare[i].taken, false);
}

void star_context_give_up(struct star_context *context)
{
    star_tuner_free(context->tuner);
    context->tuner = NULL;
    context->candidates.at[0] = star_native_of(context->operation);
    context->candidates.count = 1;
    context->fresh = context->due = context->lacks = false;
}

/* The method of a context that has none to choose from: all ranks run it, or all run native. */
static void settle_forced(struct star_communicator *state, struct star_context *context)
{
    context->current = 0;
    if (star_is_native(&context->candidates.at[0]))
        return;
    context->runner = star_runner_acquire(state, &context->candidates.at[0], &context->facts);
    if (context->runner != NULL)
        return;
    context->candidates.at[0] = star_native_of(context->operation);
    star_warn(STAR_WARN_MEMORY, state->rank,
              "the forced method needs more memory than there is, or than the setting memory "
              "allows; native runs instead");
}

struct star_switch star_switch_of(const struct star_tuner *tuner, enum star_reason reason, int method,
                                  struct star_seen *before, struct star_seen now)
{
    STAR_FPENV_DEFAULT;
    int64_t timed = now.timed - before->timed;
    double seconds = (double)(now.nanoseconds - before->nanoseconds) * 1e-9;
    struct star_switch made = {.call = now.calls,
                               .seconds = (double)(star_now() - star_runtime.began) * 1e-9,
                               .mean = timed > 0 ? seconds / (double)timed : STAR_UNKNOWN_SECONDS,
                               .method = method,
                               .reason = (int16_t)reason,
                               .stage = (int16_t)star_tuner_stage(tuner),
                               .delta = star_tuner_delta(tuner)};
    *before = now;
    return made;
}

void star_context_note(struct star_context *context, enum star_reason reason)
{
    struct star_switch made = star_switch_of(
        context->tuner, reason, star_tuner_candidate(context->tuner), &context->seen,
        (struct star_seen){context->calls, context->calls - context->skipped, context->nanoseconds});
    if (context->history != NULL && context->switches < STAR_HISTORY_MAX)
        context->history[context->switches++] = made;
    if (star_tuner_stage(context->tuner) == STAR_MONITOR)
        context->chosen = star_tuner_candidate(context->tuner);
}

/* What a context has once. */
static void pay_once(struct star_tuner *tuner, int64_t nanoseconds)
{
    STAR_FPENV_DEFAULT;
    double seconds = star_seconds(nanoseconds);
    if (tuner != NULL && !star_is_stall(seconds, 0))
        star_tuner_spend_once(tuner, seconds);
}

void star_context_foreseen(struct star_communicator *state, struct star_context *context, int64_t nanoseconds)
{
    pay_once(context->tuner, nanoseconds);
    context->agreement_nanoseconds += nanoseconds;
    if (state->rank != 0 || context->recalled == 0 || star_tuner_stage(context->tuner) != STAR_MONITOR)
        return;
    const struct star_decision recalled = {.stage = STAR_MONITOR,
                                           .reason = STAR_RECALLED,
                                           .count = 1,
                                           .list = {(int16_t)star_tuner_candidate(context->tuner)}};
    star_log_decision(state, context, &recalled);
    star_context_note(context, STAR_RECALLED);
}

/* What the cost model and earlier runs say. What it takes is the price of tuning, as agreeing is. */
static void foresee(struct star_communicator *state, struct star_context *context)
{
    int64_t begin = star_now();
    star_context_forecast(state, context);
    star_context_recall(state, context);
    star_context_foreseen(state, context, star_since(begin));
}

/* What this rank did to make the context, and then agreeing on it. */
static void pay_for_making(struct star_tuner *tuner, int64_t making, int64_t agreeing)
{
    pay_once(tuner, making);
    star_tuner_spend(tuner, star_seconds(agreeing));
}

struct star_context *star_context_make(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, const struct star_call *call,
                                       uint64_t site)
{
    struct star_context *context = make(state, operation, facts, site);
    if (context != NULL && state->rank == 0) {
        star_site_name(call->site, context->caller, sizeof context->caller);
        context->module = star_site_module(call->site);
    }
    return context;
}

struct star_context *star_context_new(struct star_communicator *state, enum star_operation operation,
                                      const struct star_facts *facts, const struct star_call *call,
                                      uint64_t site)
{
    bool same, awake;
    int64_t begin = star_now();
    struct star_context *context = star_context_make(state, operation, facts, call, site);
    int64_t made = star_since(begin);
    bool agreed = star_agree_anew(state->route.whole, context != NULL, state->sites, &same, &awake);
    star_pause_found(state, awake);
    if (!agreed || !awake || (site != 0 && !same)) {
        if (!same)
            star_communicator_forget_sites(state);
        star_context_free(state, context);
        return NULL;
    }
    star_contexts_add(&state->contexts, context);
    if (context->tuner == NULL)
        settle_forced(state, context);
    else
        pay_for_making(context->tuner, made, star_since(begin) - made);
    foresee(state, context);
    return context;
}

/* A period of MONITOR that has ended. */
static void note_waits(struct star_context *context, const struct star_spread *spread)
{
    STAR_FPENV_DEFAULT;
    int64_t calls = context->calls - context->seen.calls;
    context->waits.mean += spread->mean * (double)calls;
    context->waits.most += spread->most * (double)calls;
    context->waits.least += spread->least * (double)calls;
    context->judged += spread->mean > 0 ? calls : 0;
}

/* Of the candidate that runs from now on. */
static void begin_period(struct star_context *context)
{
    context->period_began = context->tally[star_tuner_candidate(context->tuner)].calls;
}

/* Of the candidate that has run until now: it was the chosen one, if ranks told SPREAD of it. */
static void note_watched(struct star_context *context, struct star_tally *watched,
                         const struct star_spread *spread)
{
    STAR_FPENV_DEFAULT;
    int64_t calls = watched->calls - context->period_began;
    if (!(spread->mean > 0) || calls <= 0)
        return;
    watched->watched_calls += calls;
    watched->watched += spread->counted * (double)calls;
}

/* All but the ASKED seconds in which the leader asked the cost model, which are paid already. */
static void pay_for_agreement(struct star_context *context, int64_t nanoseconds, double asked)
{
    STAR_FPENV_DEFAULT;
    context->agreements++;
    context->agreement_nanoseconds += nanoseconds;
    star_tuner_spend(context->tuner, fmax(star_seconds(nanoseconds) - asked, 0));
}

static void expect(void *whom)
{
    struct star_consultation *question = whom;
    star_context_expect(question->state, question->context); /* which tells the tuner what that took */
}

void star_context_consult(struct star_consultation *asked)
{
    star_tuner_consult(asked->context->tuner, expect, asked);
}

void star_context_decided(struct star_communicator *state, struct star_context *context,
                          const struct star_decision *decision, const struct star_spread *spread,
                          int64_t nanoseconds)
{
    star_tuner_consult(context->tuner, NULL, NULL);
    pay_for_agreement(context, nanoseconds, decision->asked);
    if (state->rank != 0)
        return;
    note_waits(context, spread);
    star_log_decision(state, context, decision);
    star_context_note(context, (enum star_reason)decision->reason);
    if (decision->reason == STAR_SELECTED)
        star_wisdom_note_choice(state, context);
}

void star_context_watched(struct star_context *context, int candidate, const struct star_spread *spread)
{
    note_watched(context, &context->tally[candidate], spread);
    begin_period(context);
}

static void agree(struct star_communicator *state, struct star_context *context)
{
    struct star_decision decision;
    int64_t begin = star_now();
    int candidate = star_tuner_candidate(context->tuner);
    struct star_consultation question = {state, context};
    star_context_consult(&question);
    struct star_spread spread =
        star_agree_tuner(state->route.whole, state->rank, state->size, context->tuner, &decision);
    star_context_watched(context, candidate, &spread);
    if (context->site != 0) {
        bool same;
        star_agree(state->route.whole, true, state->sites, &same);
        if (!same)
            star_communicator_forget_sites(state);
    }
    star_context_decided(state, context, &decision, &spread, star_since(begin));
}

bool star_context_leave_out(struct star_communicator *state, struct star_context *context,
                            enum star_reason reason)
{
    star_log_left_out(state, context, star_tuner_candidate(context->tuner), reason);
    if (star_tuner_shut_out(context->tuner))
        return true;
    begin_period(context);
    if (state->rank == 0)
        star_context_note(context, reason);
    return false;
}

struct star_shared_runner *star_context_runner(struct star_communicator *state, struct star_context *context,
                                               const struct star_facts *facts)
{
    const struct star_method *method = &context->candidates.at[context->current];
    if (star_is_native(method) ||
        (context->runner != NULL && star_runner_serves(context->runner, method, facts)))
        return context->runner;
    star_runner_release(state, context->runner);
    context->runner = star_runner_acquire(state, method, facts);
    return context->runner;
}

static void settle(struct star_communicator *state, struct star_context *context,
                   const struct star_facts *facts)
{
    /* Each candidate can be shut out once; that is enough turns, also where native is none of them. */
    int turns = 2 * context->candidates.count;
    while (context->current != star_tuner_candidate(context->tuner) && turns-- > 0) {
        int candidate = star_tuner_candidate(context->tuner);
        const struct star_method *method = &context->candidates.at[candidate];
        star_runner_release(state, context->runner);
        context->runner = NULL;
        context->current = candidate;
        if (star_is_native(method))
            return;
        context->runner = star_runner_acquire(state, method, facts);
        if (context->runner != NULL)
            return;
        context->current = -1;
        if (star_context_leave_out(state, context, STAR_UNABLE))
            agree(state, context);
    }
    if (turns < 0) /* none can be run: native is, as there is no runner */
        context->current = star_tuner_candidate(context->tuner);
}

int64_t star_context_paid(struct star_context *context, int64_t begin)
{
    int64_t spent = star_since(begin);
    context->agreement_nanoseconds += spent;
    if (context->tuner != NULL)
        star_tuner_spend(context->tuner, star_seconds(spent));
    return star_now();
}

void star_context_settle(struct star_communicator *state, struct star_context *context,
                         const struct star_facts *facts)
{
    if (context->current == star_tuner_candidate(context->tuner))
        return;
    int64_t begin = star_now(), before = context->agreement_nanoseconds, plans = state->runners.made;
    settle(state, context, facts);
    int64_t spent = star_since(begin), agreeing = context->agreement_nanoseconds - before;
    context->agreement_nanoseconds = before + spent;
    if (state->runners.made > plans) /* to all ranks alike */
        star_tuner_spend(context->tuner, star_seconds(spent - agreeing));
}

bool star_context_is_unverified(struct star_communicator *state, struct star_context *context,
                                const struct star_facts *facts)
{
    const struct star_shared_runner *runner = star_context_runner(state, context, facts);
    return runner != NULL && context->operation != STAR_BARRIER &&
           !(runner->verified && context->tally[context->current].verified);
}

/* Native takes the place of the method that was forced, which stays in the report. */
static void refuse_forced(struct star_context *context)
{
    context->candidates.at[1] = context->candidates.at[0];
    context->candidates.at[0] = star_native_of(context->operation);
    context->candidates.count = 2;
    context->tally[1] = context->tally[0];
    memset(&context->tally[0], 0, sizeof context->tally[0]);
    context->current = 0;
}

void star_context_refuse(struct star_communicator *state, struct star_context *context, int candidate)
{
    context->tally[candidate].wrong = true;
    star_runner_release(state, context->runner);
    context->runner = NULL;
    context->untimed = 0; /* the next call settles */
    if (context->tuner == NULL) {
        refuse_forced(context);
        return;
    }
    context->current = -1;
    if (star_context_leave_out(state, context, STAR_WRONG))
        agree(state, context);
}

/* Where nothing is to be decided, sampling is this rank's own affair. */
static int stride_alone(const struct star_context *context)
{
    enum { ENOUGH = 16, BRIEF = 3000 };
    const struct star_tally *tally = &context->tally[context->current];
    if (tally->calls < ENOUGH)
        return 1;
    if (tally->nanoseconds <= BRIEF * tally->calls) /* as star_stride_of says, without its numbers */
        return (int)star_runtime.settings.sample;
    STAR_FPENV_DEFAULT;
    return star_stride_of(star_runtime.settings.sample,
                          (double)tally->nanoseconds * 1e-9 / (double)tally->calls);
}

/* The next CALLS, by the current method. */
static void leave_untimed(struct star_context *context, int calls)
{
    context->untimed = calls;
    context->straight = calls > 0 && star_is_native(&context->candidates.at[context->current]);
}

bool star_context_count(struct star_context *context, int64_t nanoseconds)
{
    context->calls++;
    context->nanoseconds += nanoseconds;
    struct star_tally *tally = &context->tally[context->current];
    if (context->tuner == NULL || context->candidates.count == 1) {
        tally->calls++;
        tally->nanoseconds += nanoseconds;
        return false;
    }
    if (context->current == 0) {
        context->first_calls++;
        context->first_nanoseconds += nanoseconds;
    }
    if (star_tuner_counts(context->tuner)) {
        tally->calls++;
        tally->nanoseconds += nanoseconds;
    }
    if (star_tuner_stage(context->tuner) == STAR_MEASURE) {
        context->tuning_calls++;
        context->tuning_nanoseconds += nanoseconds;
    }
    return star_tuner_record(context->tuner, star_seconds(nanoseconds));
}

void star_context_leave_untimed(struct star_context *context)
{
    if (context->tuner == NULL || context->candidates.count == 1) {
        leave_untimed(context, star_draw_gap(&context->random, stride_alone(context)));
        return;
    }
    /* A method that is to come must be settled first. */
    bool stays = context->current == star_tuner_candidate(context->tuner);
    leave_untimed(context, stays ? star_tuner_gap(context->tuner) : 0);
}

void star_context_ran(struct star_communicator *state, struct star_context *context, int64_t nanoseconds)
{
    if (star_context_count(context, nanoseconds))
        agree(state, context);
    star_context_leave_untimed(context);
}

void star_context_free(struct star_communicator *state, struct star_context *context)
{
    if (context == NULL)
        return;
    if (context->stub) {
        free_stub(context);
        return;
    }
    if (state != NULL)
        star_runner_release(state, context->runner);
    star_tuner_free(context->tuner);
    star_methods_free(&context->candidates);
    free(context->predicted);
    free(context->variants);
    for (int i = 0; i < context->makings; i++)
        star_runner_discard(context->making[i]);
    free(context->making);
    free(context->tally);
    free(context->history);
    free(context);
}

size_t star_context_bytes(const struct star_context *context)
{
    size_t bytes = sizeof *context + (context->history ? STAR_HISTORY_MAX * sizeof *context->history : 0);
    bytes += (size_t)context->candidates.count * (sizeof *context->candidates.at + sizeof *context->tally);
    bytes += context->predicted ? (size_t)context->candidates.count * sizeof *context->predicted : 0;
    return bytes + (context->tuner ? star_tuner_bytes(context->tuner) : 0);
}
