/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/promise.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/context.h"
#include "runtime/making.h"
#include "runtime/maps.h"
#include "runtime/nodes.h"
#include "runtime/opened.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/policy.h"
#include "runtime/repeat.h"
#include "runtime/rooted.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/state.h"
#include "runtime/watch.h"
#include "util/clock.h"

bool star_promise_is_asked(enum star_operation operation)
{
    const struct star_settings *settings = &star_runtime.settings;
    return settings->tune_after < 0 && !settings->sites && !settings->verify && !star_maps_know(operation) &&
           !star_keeps_rank_order(operation) && star_methods_first(&star_runtime.force, operation) == NULL &&
           star_methods_first(&star_runtime.only, operation) == NULL;
}

bool star_promise_is_needed(enum star_operation operation, int64_t bytes)
{
    enum { ENOUGH = 8 * 1024 };
    return star_operation_awaits_all(operation) || star_runtime.crowded || bytes < ENOUGH;
}

/* Where ranks wait for processors, trying a method holds up more than the calls that are timed, and what is
 * measured is mostly noise: there only what takes much longer is worth it. */
static int64_t patience(int64_t calls)
{
    enum { CROWDED = 32 };
    return star_runtime.crowded ? CROWDED * calls : calls;
}

/* By all that a rank gets in a call: where bytes are of a block, one comes from each rank. The same on all.
 */
static bool is_short(enum star_operation operation, int ranks, int64_t bytes)
{
    enum { SHORT = 1024 };
    return bytes >= 0 && bytes <= SHORT / star_operation_blocks(operation, ranks);
}

static bool has_short(const struct star_communicator *state, const struct star_context *context)
{
    return is_short(context->operation, state->size, context->facts.bytes);
}

/* Where each rank is on a node of its own, the MPI library's algorithm for a short call of these operations
 * is about as fast as any other. Between two ranks there is one message or one exchange, in any operation. */
static bool gains_little(const struct star_communicator *state, const struct star_context *context)
{
    enum star_operation operation = context->operation;
    bool good = operation == STAR_ALLREDUCE || operation == STAR_BCAST || operation == STAR_REDUCE ||
                operation == STAR_BARRIER;
    return star_nodes_are_apart() && has_short(state, context) && (good || state->size == 2);
}

/* The ranks ask for the first time at this call, or begin to talk. To ask takes as long as a short call: of
 * those many pass before. A long one is worth the question at once. Where they talk, nobody is asked, and a
 * talk takes as long as some short calls: as many pass as promise to pay for it. */
static int64_t first_look(enum star_operation operation, int ranks, int64_t bytes)
{
    enum { LONG = 64 * 1024, CALLS = 256, FEWER = 8, FEWEST = 2, TALK = 1024, SHORTER_TALK = 128 };
    if (bytes >= LONG)
        return patience(FEWEST);
    bool brief = is_short(operation, ranks, bytes);
    int64_t calls = patience(brief ? CALLS : FEWER), talk = brief ? TALK : SHORTER_TALK;
    return star_operation_awaits_all(operation) || calls > talk ? calls : talk;
}

/* After a timed call, or a look. No rank skips the next look. */
static void leave_untimed(struct star_context *context)
{
    struct star_subject *subject = &context->subject;
    star_subject_leave_untimed(subject, 0);
    int64_t before = context->look - subject->calls - 1;
    if (subject->untimed > before)
        subject->untimed = (int32_t)before;
    context->straight = subject->untimed > 0;
}

struct star_context *star_promise_new(struct star_communicator *state, const struct star_call *call,
                                      const struct star_facts *facts)
{
    struct star_context *context = star_context_early(state, call, facts);
    if (context == NULL)
        return NULL;
    context->look = first_look(call->operation, state->size, facts->bytes);
    context->noted = 1; /* this call */
    context->idle_since = state->other_calls[call->operation];
    star_communicator_link(state);
    if (state->repeats == NULL)
        star_repeats_begin(state);
    return context;
}

/* What this rank has spent in the context's calls, in nanoseconds. */
static int64_t spent_in(const struct star_subject *subject)
{
    int64_t timed = subject->calls - subject->skipped;
    return timed > 0 ? subject->nanoseconds / timed * subject->calls : 0;
}

/* Setting up takes so many nanoseconds of this rank's. */
static int64_t price_of(const struct star_communicator *state, const struct star_context *context)
{
    enum { MAKING = 50000, AGREEMENTS = 4 };
    int64_t agreeing = state->agreeing;
    if (agreeing == 0 && has_short(state, context))
        agreeing = spent_in(&context->subject) / context->subject.calls;
    return MAKING + AGREEMENTS * agreeing;
}

/* The call at which as much is spent, at this rate, that a lost investment does not matter. Where a call is
 * short, an agreement holds up more than it is seen to take, as ranks no longer run ahead of each other. */
static int64_t call_that_promises(const struct star_communicator *state, const struct star_context *context)
{
    enum { TIMES = 40, SHORT = 100, LITTLE = 4, MOST_AT_ONCE = 8 };
    int64_t calls = context->subject.calls, spent = spent_in(&context->subject);
    int64_t times = has_short(state, context) && !star_runtime.crowded ? SHORT : patience(TIMES),
            enough = (gains_little(state, context) ? LITTLE : 1) * times * price_of(state, context);
    if (spent >= enough)
        return calls;
    return spent > 0 && enough / spent < MOST_AT_ONCE ? calls * (enough / spent + 1) : calls * MOST_AT_ONCE;
}

/* What asking takes, as far as it is known: rather what it takes mostly than what it took of a late rank. */
static void took(struct star_communicator *state, int64_t nanoseconds)
{
    int64_t more = nanoseconds - state->agreeing;
    if (state->agreeing == 0 || more < 0)
        state->agreeing = nanoseconds;
    else
        state->agreeing += (more < state->agreeing ? more : state->agreeing) / 8;
}

/* So many calls with contexts all ranks wait for each other in: the same on all. Those that go straight to
 * the MPI library are no fewer on one rank than on another here, as each context counts them. */
static int64_t calls_together(const struct star_communicator *state)
{
    int64_t calls = 0;
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        calls += star_operation_awaits_all(context->operation) ? context->subject.calls : 0;
    return calls;
}

void star_promise_drop(struct star_communicator *state, const struct star_context *context)
{
    int64_t calls = star_operation_awaits_all(context->operation) ? context->subject.calls : 0;
    if (state->asked > 0)
        state->asked = state->asked > calls ? state->asked - calls : 1;
}

/* They ask again when the last of them expects it to be worth it, and no rank before another. */
static void ask(struct star_communicator *state, struct star_context *context, const struct star_call *call)
{
    int64_t calls = context->subject.calls, when = call_that_promises(state, context);
    bool awake;
    int64_t begin = star_now();
    star_watch_enter(star_operations[call->operation].mpi, call->comm);
    bool agreed = star_agree_when(call->comm, &when, &awake);
    took(state, star_since(begin));
    state->asked = calls_together(state);
    star_spent(begin);
    star_pause_found(state, awake);
    context->look = agreed && when > 2 * calls ? when : 2 * calls;
    if (agreed && when <= calls && awake && (state->tuned || star_communicator_tune(state, call->comm)))
        star_context_promote(state, context);
}

/* A program of many sizes asks no oftener than one of few: a question takes as long as many short calls. 0,
 * or after so many calls there is another look. */
static int64_t too_soon(const struct star_communicator *state, const struct star_context *context)
{
    enum { APART = 512, LOOKS = 4 };
    if (!has_short(state, context) || state->asked == 0)
        return 0;
    int64_t left = state->asked + APART - calls_together(state);
    return left > 0 ? left / LOOKS + 1 : 0;
}

static void look(struct star_communicator *state, struct star_context *context, const struct star_call *call)
{
    enum { ASK = 2048, TALK = 8192 };
    bool little = gains_little(state, context), together = star_operation_awaits_all(context->operation);
    int64_t later = together ? too_soon(state, context) : 0;
    if (little && state->size == 2) {
        context->look = INT64_MAX;
    } else if (little && context->subject.calls < (together ? ASK : TALK)) {
        context->look *= 2;
    } else if (!together) {
        context->look *= 2;
        star_rooted_begin(call, state, context);
    } else if (later > 0) {
        context->look += later;
    } else {
        context->look *= 2;
        if (state->calls > state->again) /* not paused */
            ask(state, context, call);
    }
}

int star_promise_run(struct star_communicator *state, struct star_context *context,
                     const struct star_call *call)
{
    bool timed = !star_subject_skips(&context->subject);
    int64_t begin = timed ? star_now() : 0;
    int error = star_run_natively(state, call);
    if (timed)
        star_subject_count(&context->subject, 0, star_since(begin));
    bool looks = context->subject.calls == context->look;
    if (looks && error == MPI_SUCCESS)
        look(state, context, call);
    else if (looks)
        context->look *= 2;
    if (context->early && (timed || looks))
        leave_untimed(context);
    return error;
}
