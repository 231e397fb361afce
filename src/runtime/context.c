/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/context.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/forecast.h"
#include "runtime/making.h"
#include "runtime/opened.h"
#include "runtime/pause.h"
#include "runtime/runners.h"
#include "runtime/siblings.h"
#include "runtime/warn.h"
#include "runtime/watch.h"
#include "runtime/wisdom.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/seconds.h"

#include <stdlib.h>
#include <string.h>

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
              "allows, or some process may not read another one's; native runs instead");
}

void star_context_foreseen(struct star_context *context, int64_t nanoseconds)
{
    star_subject_pay_once(&context->subject, nanoseconds);
    context->subject.agreement_nanoseconds += nanoseconds;
}

/* What the cost model and earlier runs say. What it takes is the price of tuning, as agreeing is. */
static void foresee(struct star_communicator *state, struct star_context *context)
{
    int64_t begin = star_now();
    star_context_forecast(state, context);
    star_context_recall(state, context);
    star_context_foreseen(context, star_since(begin));
}

/* What this rank did to make the context, and then agreeing on it. */
static void pay_for_making(struct star_subject *subject, int64_t making, int64_t agreeing)
{
    star_subject_pay_once(subject, making);
    subject->agreement_nanoseconds += making;
    star_subject_pay(subject, agreeing);
}

/* Have all ranks MADE it, and is none of them asleep? */
static bool is_agreed(struct star_communicator *state, bool made, uint64_t site)
{
    bool same, awake;
    bool agreed = star_agree_anew(state->route.whole, made, state->sites, &same, &awake);
    star_pause_found(state, awake);
    if (agreed && awake && (site == 0 || same))
        return true;
    if (!same)
        star_communicator_forget_sites(state);
    return false;
}

static void begin_tuning(struct star_communicator *state, struct star_context *context, int64_t making,
                         int64_t agreeing)
{
    if (context->subject.tuner == NULL)
        settle_forced(state, context);
    else
        pay_for_making(&context->subject, making, agreeing);
    foresee(state, context);
}

struct star_context *star_context_new(struct star_communicator *state, const struct star_call *call,
                                      const struct star_facts *facts, uint64_t site)
{
    int64_t begin = star_now();
    struct star_context *context = star_context_make(state, call, facts, site);
    int64_t made = star_since(begin);
    if (!is_agreed(state, context != NULL, site)) {
        star_context_free(state, context);
        return NULL;
    }
    star_contexts_add(&state->contexts, context);
    begin_tuning(state, context, made, star_since(begin) - made);
    return context;
}

bool star_context_promote(struct star_communicator *state, struct star_context *context)
{
    int64_t begin = star_now();
    bool able = star_context_mature(state, context);
    int64_t made = star_since(begin);
    if (is_agreed(state, able, 0)) {
        begin_tuning(state, context, made, star_since(begin) - made);
        return true;
    }
    if (able)
        star_context_give_up(context);
    context->current = 0;
    context->early = true;
    return false;
}

/* A period of MONITOR that has ended. */
static void note_waits(struct star_context *context, const struct star_spread *spread)
{
    STAR_FPENV_DEFAULT;
    int64_t calls = context->subject.calls - context->subject.seen.calls;
    context->waits.mean += spread->mean * (double)calls;
    context->waits.most += spread->most * (double)calls;
    context->waits.least += spread->least * (double)calls;
    context->judged += spread->mean > 0 ? calls : 0;
}

static void expect(void *whom)
{
    struct star_consultation *question = whom;
    star_context_expect(question->state, question->context); /* which tells the tuner what that took */
}

void star_context_consult(struct star_consultation *asked)
{
    star_tuner_consult(asked->context->subject.tuner, expect, asked);
}

void star_context_decided(struct star_communicator *state, struct star_context *context,
                          const struct star_decision *decision, const struct star_spread *spread,
                          int64_t nanoseconds)
{
    star_tuner_consult(context->subject.tuner, NULL, NULL);
    if (state->rank == 0)
        note_waits(context, spread);
    star_subject_decided(&context->subject, decision, nanoseconds);
    if (state->rank == 0 && decision->reason == STAR_SELECTED)
        star_wisdom_note_choice(state, context);
}

/* Where its ranks may wait for each other. */
static void watch(const struct star_communicator *state, const struct star_context *context)
{
    star_watch_enter(star_operations[context->operation].mpi, state->route.whole);
}

static void agree(struct star_communicator *state, struct star_context *context)
{
    struct star_decision decision;
    int64_t begin = star_now();
    int candidate = context->subject.now;
    struct star_consultation question = {state, context};
    star_context_consult(&question);
    watch(state, context);
    struct star_spread spread =
        star_agree_tuner(state->route.whole, state->rank, state->size, context->subject.tuner, &decision);
    star_subject_watched(&context->subject, candidate, &spread);
    if (context->site != 0) {
        bool same;
        star_agree(state->route.whole, true, state->sites, &same);
        if (!same)
            star_communicator_forget_sites(state);
    }
    star_context_decided(state, context, &decision, &spread, star_since(begin));
}

struct star_shared_runner *star_context_runner(struct star_communicator *state, struct star_context *context,
                                               const struct star_facts *facts)
{
    const struct star_method *method = &context->candidates.at[context->current];
    if (star_is_native(method) ||
        (context->runner != NULL && star_runner_serves(context->runner, method, facts)))
        return context->runner;
    watch(state, context);
    star_runner_release(state, context->runner);
    context->runner = star_runner_acquire(state, method, facts);
    return context->runner;
}

static void settle(struct star_communicator *state, struct star_context *context,
                   const struct star_facts *facts)
{
    watch(state, context);
    /* Each candidate can be shut out once; that is enough turns, also where native is none of them. */
    int turns = 2 * context->candidates.count;
    while (context->current != context->subject.now && turns-- > 0) {
        int candidate = context->subject.now;
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
        if (star_subject_leave_out(&context->subject, STAR_UNABLE))
            agree(state, context);
    }
    if (turns < 0) /* none can be run: native is, as there is no runner */
        context->current = context->subject.now;
}

int64_t star_context_paid(struct star_context *context, int64_t begin)
{
    star_subject_pay(&context->subject, star_since(begin));
    return star_now();
}

void star_context_settle(struct star_communicator *state, struct star_context *context,
                         const struct star_facts *facts)
{
    if (context->current == context->subject.now)
        return;
    int64_t begin = star_now(), before = context->subject.agreement_nanoseconds, plans = state->runners.made;
    settle(state, context, facts);
    int64_t spent = star_since(begin), agreeing = context->subject.agreement_nanoseconds - before;
    context->subject.agreement_nanoseconds = before + spent;
    if (state->runners.made > plans) /* to all ranks alike */
        star_tuner_spend(context->subject.tuner, star_seconds(spent - agreeing));
}

bool star_context_is_unverified(struct star_communicator *state, struct star_context *context,
                                const struct star_facts *facts)
{
    const struct star_shared_runner *runner = star_context_runner(state, context, facts);
    return runner != NULL && context->operation != STAR_BARRIER &&
           !(runner->verified && context->uses[context->current].verified);
}

/* Native takes the place of the method that was forced, which stays in the report. */
static void refuse_forced(struct star_context *context)
{
    context->candidates.at[1] = context->candidates.at[0];
    context->candidates.at[0] = star_native_of(context->operation);
    context->candidates.count = context->subject.count = 2;
    context->subject.tally[1] = context->subject.tally[0];
    context->subject.ran = 1; /* what has run is number 1 now */
    context->uses[1] = context->uses[0];
    memset(&context->subject.tally[0], 0, sizeof context->subject.tally[0]);
    memset(&context->uses[0], 0, sizeof context->uses[0]);
    context->current = 0;
}

void star_context_refuse(struct star_communicator *state, struct star_context *context, int candidate)
{
    context->uses[candidate].wrong = true;
    star_runner_release(state, context->runner);
    context->runner = NULL;
    context->subject.untimed = 0; /* the next call settles */
    if (context->subject.tuner == NULL) {
        refuse_forced(context);
        return;
    }
    context->current = -1;
    if (star_subject_leave_out(&context->subject, STAR_WRONG))
        agree(state, context);
}

void star_context_leave_untimed(struct star_context *context)
{
    star_subject_leave_untimed(&context->subject, context->current);
    context->straight =
        context->subject.untimed > 0 && star_is_native(&context->candidates.at[context->current]);
}

void star_context_ran(struct star_communicator *state, struct star_context *context, int64_t nanoseconds)
{
    if (star_subject_count(&context->subject, context->current, nanoseconds))
        agree(state, context);
    star_context_leave_untimed(context);
}
