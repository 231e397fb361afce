/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/promise.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/context.h"
#include "runtime/making.h"
#include "runtime/maps.h"
#include "runtime/opened.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/policy.h"
#include "runtime/repeat.h"
#include "runtime/rooted.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
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

bool star_promise_is_needed(const struct star_communicator *state, enum star_operation operation,
                            int64_t bytes)
{
    enum { ENOUGH = 8 * 1024 };
    return star_operation_awaits_all(operation) || star_runtime.crowded ||
           (bytes < ENOUGH && star_contexts_count(&state->contexts, operation, 0) > 0);
}

/* Where ranks wait for processors, trying a method holds up more than the calls that are timed, and what is
 * measured is mostly noise: there only what takes much longer is worth it. */
static int64_t patience(int64_t calls)
{
    enum { CROWDED = 32 };
    return star_runtime.crowded ? CROWDED * calls : calls;
}

/* The ranks ask for the first time at this call, or begin to talk. To ask takes as long as a short call: of
 * those many pass before. A long one is worth the question at once. */
static int64_t first_look(int64_t bytes)
{
    enum { SHORT = 1024, LONG = 64 * 1024, CALLS = 64, FEWER = 8, FEWEST = 2 };
    if (bytes >= LONG)
        return patience(FEWEST);
    return patience(bytes >= 0 && bytes <= SHORT ? CALLS : FEWER);
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
    context->look = first_look(facts->bytes);
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

/* Is that so many times what setting up takes that a lost investment does not matter? */
static bool promises(const struct star_communicator *state, const struct star_context *context)
{
    enum { MAKING = 50000, AGREEMENTS = 4, TIMES = 40, SHORT = 1024 };
    int64_t spent = spent_in(&context->subject), agreeing = state->agreeing;
    if (agreeing == 0 && context->facts.bytes >= 0 && context->facts.bytes <= SHORT)
        agreeing = spent / context->subject.calls;
    return spent >= patience(TIMES) * (MAKING + AGREEMENTS * agreeing);
}

static void ask(struct star_communicator *state, struct star_context *context, const struct star_call *call)
{
    bool same, awake, pays = promises(state, context);
    int64_t begin = star_now();
    star_watch_enter(star_operations[call->operation].mpi, call->comm);
    pays = star_agree_anew(call->comm, pays, 0, &same, &awake);
    int64_t took = star_since(begin);
    if (state->agreeing == 0 || took < state->agreeing)
        state->agreeing = took;
    star_spent(begin);
    star_pause_found(state, awake);
    if (pays && awake && (state->tuned || star_communicator_tune(state, call->comm)))
        star_context_promote(state, context);
}

static void look(struct star_communicator *state, struct star_context *context, const struct star_call *call)
{
    context->look *= 2;
    if (!star_operation_awaits_all(context->operation))
        star_rooted_begin(call, state, context);
    else if (state->calls > state->again) /* not paused */
        ask(state, context, call);
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
