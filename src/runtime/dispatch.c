/* SPDX-License-Identifier: BSD-3-Clause
 * One call of the program: finds its context, runs what the tuner says, and tells the tuner how long it took.
 */
#include "runtime/dispatch.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "runtime/checked.h"
#include "runtime/context.h"
#include "runtime/maps.h"
#include "runtime/nonblocking.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/price.h"
#include "runtime/promise.h"
#include "runtime/repeat.h"
#include "runtime/rooted.h"
#include "runtime/runners.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/site.h"
#include "runtime/sizes.h"
#include "runtime/staging.h"
#include "runtime/state.h"
#include "runtime/talk.h"
#include "runtime/verify.h"
#include "runtime/watch.h"
#include "runtime/worth.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/hash.h"

/* Sizes that hardly ever come again are not worth a plan each. */
enum { MISSES_MOST = 256 };

/* False: the method must run as always. */
static bool verify(struct star_communicator *state, struct star_shared_runner *runner,
                   const struct star_call *call, const struct star_facts *facts, int *error)
{
    struct star_staging staging;
    *error = star_raise(call, star_staging_begin(&staging, state, call, facts));
    if (*error)
        return true;
    bool able = star_verify(state, runner, &staging.call, facts, error, &runner->verified);
    int ended = star_staging_end(&staging, able ? *error : MPI_SUCCESS);
    if (able && !*error)
        *error = star_raise(call, ended);
    return able;
}

static int run_stand_in(struct star_communicator *state, const struct star_stand_in *other,
                        struct star_shared_runner *runner, const struct star_call *call,
                        const struct star_facts *facts)
{
    int error;
    struct star_context *context = other->context;
    if (star_runtime.settings.verify && !runner->verified && verify(state, runner, call, facts, &error)) {
        bool right = runner->verified, current = context && context->current == other->choice;
        runner->impossible = !right && !current;
        star_runner_release(state, runner);
        if (!right && current)
            star_context_refuse(state, context, other->choice);
        return error;
    }
    error = star_run_with(state, runner, call, facts);
    star_runner_release(state, runner);
    return error;
}

/* Sizes past the bound have no context. */
static int run_untuned(struct star_communicator *state, const struct star_call *call,
                       const struct star_facts *facts, uint64_t site)
{
    struct star_stand_in other = star_stand_in_for(state, call->operation, facts, site);
    state->other_calls[call->operation]++;
    bool rare = !star_keeps_rank_order(call->operation) && state->misses > MISSES_MOST + state->hits;
    if (other.native || !other.suits || rare)
        return star_run_natively(state, call);
    int64_t made = state->runners.made;
    struct star_shared_runner *runner = star_runner_acquire(state, &other.method, facts);
    *(state->runners.made > made ? &state->misses : &state->hits) += 1;
    if (runner == NULL)
        return star_run_natively(state, call);
    return run_stand_in(state, &other, runner, call, facts);
}

static int run_method(struct star_communicator *state, struct star_context *context,
                      const struct star_call *call, const struct star_facts *facts)
{
    return star_run_with(state, star_context_runner(state, context, facts), call, facts);
}

/* A plan for another root is made once and kept: that is the price of tuning, no part of what calls take. One
 * that is too large to be kept, or that many others push out, is made for each such call, and takes its time.
 */
static bool is_made_once(const struct star_communicator *state, const struct star_context *context,
                         const struct star_shared_runner *runner)
{
    return context->uses[context->current].plans <= state->size &&
           (runner == NULL || star_runner_is_kept(state, runner));
}

static int run_timed(struct star_communicator *state, struct star_context *context,
                     const struct star_call *call, const struct star_facts *facts)
{
    int64_t begin = star_now(), made = state->runners.made;
    struct star_shared_runner *runner = star_context_runner(state, context, facts);
    bool makes = state->runners.made != made;
    context->uses[context->current].plans += makes;
    if (makes && is_made_once(state, context, runner))
        begin = star_context_paid(context, begin);
    int error = star_run_with(state, runner, call, facts);
    star_context_ran(state, context, star_since(begin));
    return error;
}

/* A call that is verified is no measure of the method. */
static int run_verified(struct star_communicator *state, struct star_context *context,
                        const struct star_call *call, const struct star_facts *facts)
{
    int64_t begin = star_now(), agreeing = context->subject.agreement_nanoseconds;
    int error, candidate = context->current;
    star_subject_pass(&context->subject);
    context->uses[candidate].verified = true;
    if (!verify(state, context->runner, call, facts, &error))
        error = run_method(state, context, call, facts);
    else if (!context->runner->verified)
        star_context_refuse(state, context, candidate);
    context->subject.agreement_nanoseconds = agreeing + star_since(begin);
    return error;
}

static int run_context(struct star_communicator *state, struct star_context *context,
                       const struct star_call *call, const struct star_facts *facts)
{
    if (context->subject.untimed == 0 && context->current != context->subject.now)
        star_context_settle(state, context, facts);
    if (facts->wrong && context->runner != NULL) { /* as the MPI library would find out */
        star_runner_refuse(state, context->runner);
        return star_raise(call, MPI_ERR_TRUNCATE);
    }
    if (star_runtime.settings.verify && star_context_is_unverified(state, context, facts))
        return run_verified(state, context, call, facts);
    if (star_subject_skips(&context->subject))
        return run_method(state, context, call, facts);
    return run_timed(state, context, call, facts);
}

static bool is_left_alone(enum star_operation operation)
{
    return star_runtime.settings.reproducible == STAR_REPRODUCIBLE_NATIVE &&
           star_operations[operation].expected.reduces;
}

/* Is a context made before its first call? Where native may not run at all; and the first one of an
 * operation, at which all ranks agree, whatever lengths they give. */
static bool comes_first(const struct star_communicator *state, enum star_operation operation, uint64_t site)
{
    return star_methods_first(&star_runtime.force, operation) != NULL || star_maps_know(operation) ||
           star_keeps_rank_order(operation) || star_contexts_count(&state->contexts, operation, site) == 0;
}

/* Of further ones the first call is native's, and then the context is made: where ranks give different
 * lengths, so that some know theirs already, the MPI library reports that before anybody waits. */
static int run_before_context(struct star_communicator *state, const struct star_call *call,
                              const struct star_facts *facts, uint64_t site)
{
    int error = star_run_natively(state, call);
    if (error != MPI_SUCCESS)
        return error;
    struct star_context *context = star_context_new(state, call, facts, site);
    if (context != NULL)
        star_subject_pass(&context->subject);
    return MPI_SUCCESS;
}

/* NULL: there is none for such calls. WAITS: and none is to be made yet. */
static struct star_context *early_context_of(const struct star_call *call, struct star_communicator *state,
                                             const struct star_facts *facts, bool *waits)
{
    struct star_context *context = star_contexts_find(&state->contexts, call->operation, facts, 0);
    *waits = context == NULL && (star_promise_is_needed(call->operation, facts->bytes) ||
                                 star_is_one_of_many(state, call->operation));
    bool begins =
        *waits && star_is_worth_tuning(state, call) &&
        (star_is_wanted(state, call->operation, facts, 0) || star_sizes_make_room(state, call->operation));
    *waits = *waits && (begins || !state->tuned);
    return begins ? star_promise_new(state, call, facts) : context;
}

static int run_short(struct star_communicator *state, const struct star_call *call,
                     const struct star_facts *facts)
{
    if (state->repeats == NULL)
        star_repeats_begin(state);
    if (!facts->wrong && !star_talk_goes_on(state))
        star_repeat_remember(state, call, NULL, facts);
    return star_short_run(call, state);
}

/* A call at which all ranks may wait for each other. EARLY: its context was looked for, as it may be early.
 */
static int dispatch_together(const struct star_call *call, struct star_communicator *state,
                             const struct star_facts *facts, uint64_t site, bool early,
                             struct star_context *context)
{
    if (!state->tuned && !(star_is_worth_tuning(state, call) && star_communicator_tune(state, call->comm)))
        return star_run_natively(state, call);
    if (state->site_mismatch) /* perhaps found by this very call */
        site = 0;
    struct star_call in_place;
    if (star_is_in_place(call)) {
        in_place = *call;
        in_place.sendbuf = MPI_IN_PLACE;
        call = &in_place;
    }
    if (!early)
        context = star_contexts_find(&state->contexts, call->operation, facts, site);
    if (context == NULL && !early && star_is_wanted(state, call->operation, facts, site)) {
        if (state->calls <= state->again) /* paused */
            return star_run_natively(state, call);
        if (comes_first(state, call->operation, site))
            context = star_context_new(state, call, facts, site);
        else
            return run_before_context(state, call, facts, site);
        if (context == NULL)
            return star_run_natively(state, call);
    }
    if (context == NULL)
        return run_untuned(state, call, facts, site);
    if (!facts->wrong && call != &in_place && !star_talk_goes_on(state))
        star_repeat_remember(state, call, context, facts);
    return run_context(state, context, call, facts);
}

static int dispatch(const struct star_call *call, struct star_communicator *state)
{
    struct star_facts facts = {.granule = 1, .commutative = true};
    if (state->checked)
        star_check(call, state);
    if (state->native_only || is_left_alone(call->operation) ||
        !star_servers[call->operation].facts(call, state, &facts)) {
        state->calls++;
        return star_run_natively(state, call);
    }
    uint64_t site = 0;
    if (star_runtime.settings.sites && !state->site_mismatch)
        site = star_site_of(call->site);
    star_count_call(state, site);
    star_watch_enter(star_operations[call->operation].mpi, call->comm);
    if (star_talk_goes_on(state))
        star_rooted_step(call, state, &facts);
    if (star_short_is_served(state, call->operation, &facts)) {
        return run_short(state, call, &facts);
    }
    struct star_context *context = NULL;
    bool early = star_promise_is_asked(call->operation);
    if (early) {
        bool waits;
        context = early_context_of(call, state, &facts, &waits);
        if (context != NULL && context->early) {
            if (!facts.wrong && !star_is_in_place(call) && !star_talk_goes_on(state))
                star_repeat_remember(state, call, context, &facts);
            return star_promise_run(state, context, call);
        }
        if (context == NULL && waits) {
            state->other_calls[call->operation] += !star_is_wanted(state, call->operation, &facts, 0);
            return star_run_natively(state, call);
        }
    }
    if (!star_may_wait(call->operation))
        return star_rooted_dispatch(call, state, &facts, site);
    return dispatch_together(call, state, &facts, site, early, context);
}

static int dispatch_again(const struct star_call *call, struct star_communicator *state,
                          const struct star_repeat *known)
{
    struct star_context *context = known->context;
    struct star_facts facts = known->facts; /* what is known may be forgotten while the call runs */
    if (context == NULL) {
        star_count_call(state, 0);
        return star_short_run(call, state);
    }
    star_count_call(state, context->site);
    if (context->early)
        return star_promise_run(state, context, call);
    return context->talks ? star_rooted_run(call, state, context, &facts)
                          : run_context(state, context, call, &facts);
}

/* KNOWN may be NULL. */
static int dispatch_priced(const struct star_call *call, struct star_communicator *state,
                           const struct star_repeat *known)
{
    int64_t begin = star_price_begin();
    int error = known != NULL ? dispatch_again(call, state, known) : dispatch(call, state);
    star_price_end(begin);
    return error;
}

int star_dispatch(const struct star_call *call, struct star_communicator *state)
{
    return star_price_is_due() ? dispatch_priced(call, state, NULL) : dispatch(call, state);
}

int star_dispatch_again(const struct star_call *call, struct star_communicator *state,
                        const struct star_repeat *known)
{
    return star_price_is_due() ? dispatch_priced(call, state, known) : dispatch_again(call, state, known);
}
