/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of operations that some ranks may leave before others have come. Whatever has to be agreed on is the
 * subject of a talk (talk.h), and until that has ended what runs is what all ranks have: the method that was
 * chosen last, or native. Everything here depends on the calls of the communicator, whose order is the same
 * on all ranks, and on verdicts. */
#include "runtime/rooted.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/context.h"
#include "runtime/forecast.h"
#include "runtime/making.h"
#include "runtime/opened.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/repeat.h"
#include "runtime/runners.h"
#include "runtime/serve.h"
#include "runtime/sharing.h"
#include "runtime/siblings.h"
#include "runtime/talk.h"
#include "runtime/warn.h"
#include "runtime/wisdom.h"
#include "runtime/worth.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* Plans for more roots or layouts than these are not made. */
static int variants_most(const struct star_communicator *state)
{
    return 2 * state->size;
}

/* The rank that the others wait for in CALL, or that is the last to come. */
static int speaker_of(const struct star_call *call)
{
    int awaited = star_awaited(call);
    if (awaited >= 0)
        return awaited;
    return star_operations[call->operation].rooted ? call->root : 0;
}

static uint64_t hash_of(enum star_operation operation, const struct star_facts *facts, int64_t calls)
{
    uint64_t hash = star_hash_add(star_hash_empty, (uint64_t)operation);
    hash = star_hash_add(hash, (uint64_t)facts->bytes);
    return star_hash_add(star_hash_add(hash, facts->in_place), (uint64_t)calls);
}

/* What is to run until the next agreement. */
static const int16_t *course_of(const struct star_context *context, int *count)
{
    static const int16_t only[] = {0};
    *count = 1;
    return context->subject.tuner != NULL ? star_tuner_course(context->subject.tuner, count) : only;
}

/* Making plans. */

static bool is_variant(const struct star_facts *one, const struct star_facts *other)
{
    return one->root == other->root && one->granule == other->granule &&
           one->own_operator == other->own_operator;
}

/* All variants that have come are to have plans. */
static void note_variant(const struct star_communicator *state, struct star_context *context,
                         const struct star_facts *facts)
{
    for (int i = 0; i < context->varying; i++)
        if (is_variant(&context->variants[i], facts))
            return;
    if (context->varying == variants_most(state))
        return;
    struct star_facts *more =
        realloc(context->variants, (size_t)(context->varying + 1) * sizeof *context->variants);
    if (more == NULL) {
        context->forgets = true;
        return;
    }
    context->variants = more;
    context->variants[context->varying++] = *facts;
}

static bool is_made(struct star_communicator *state, const struct star_method *method,
                    const struct star_facts *facts)
{
    struct star_shared_runner *runner =
        star_is_native(method) ? NULL : star_runner_at_hand(state, method, facts);
    star_runner_release(state, runner);
    return runner != NULL || star_is_native(method);
}

/* Makes what CANDIDATE lacks, into MADE, of which there are COUNT; false when it cannot. */
static bool make_variants(struct star_communicator *state, const struct star_context *context, int candidate,
                          struct star_shared_runner **made, int *count)
{
    const struct star_method *method = &context->candidates.at[candidate];
    bool all = !context->forgets;
    for (int i = 0; all && i < context->varying; i++) {
        if (is_made(state, method, &context->variants[i]))
            continue;
        made[*count] = star_runner_make(state, method, &context->variants[i]);
        all = made[*count] != NULL;
        *count += all;
    }
    return all;
}

static void set(uint64_t *bits, int i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool is_set(const uint64_t *bits, int i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}

static void make(struct star_communicator *state, struct star_context *context, struct star_vote *vote)
{
    int listed, count = 0;
    const int16_t *list = course_of(context, &listed);
    context->making =
        calloc((size_t)(listed * (context->varying + 1)) + 1, sizeof(struct star_shared_runner *));
    vote->idle_bytes = state->runners.idle_bytes;
    for (int i = 0; context->making != NULL && i < listed; i++)
        if (make_variants(state, context, list[i], context->making, &count))
            set(vote->able, i);
    context->makings = count;
}

/* What was made for candidates that all ranks have plans for is kept; the others never run here. */
static void made(struct star_communicator *state, struct star_context *context, const struct star_vote *vote)
{
    int listed;
    const int16_t *list = course_of(context, &listed);
    star_runners_limit(state, vote->idle_bytes);
    for (int i = 0; i < listed; i++)
        context->uses[list[i]].unable = context->uses[list[i]].unable || !is_set(vote->able, i);
    for (int k = 0; k < context->makings; k++) {
        bool wanted = false;
        for (int i = 0; i < listed; i++)
            wanted = wanted || (is_set(vote->able, i) && star_method_equal(&context->making[k]->method,
                                                                           &context->candidates.at[list[i]]));
        if (wanted)
            star_runner_add(state, context->making[k]);
        else
            star_runner_discard(context->making[k]);
    }
    free(context->making);
    context->making = NULL;
    context->makings = 0;
    context->lacks = false;
    if (context->subject.tuner != NULL || !context->uses[0].unable || context->poor)
        return;
    context->candidates.at[0] = star_native_of(context->operation);
    star_warn(STAR_WARN_MEMORY, state->rank,
              "the map's method needs more memory than there is, or than the setting memory allows; native "
              "runs instead");
}

static bool lacks_plans(struct star_communicator *state, const struct star_context *context)
{
    int listed;
    const int16_t *list = course_of(context, &listed);
    for (int i = 0; i < listed; i++)
        for (int k = 0; k < context->varying; k++)
            if (!context->uses[list[i]].unable &&
                !is_made(state, &context->candidates.at[list[i]], &context->variants[k]))
                return true;
    return context->forgets;
}

static const struct star_topic plans = {.make = make, .made = made};

/* A new context. */

enum verdict { REFUSED, ASLEEP, MADE };
enum { RECALLED_MOST = 12 };
struct news {
    int32_t verdict, same, recalled;
    struct star_forecast_list forecast;
    double confidence;
    struct star_recollection known[RECALLED_MOST + 1];
};
_Static_assert(sizeof(struct news) <= STAR_OUTCOME_MOST, "the news of a context fit into an outcome");

static size_t tell_nothing(struct star_context *context, struct star_figure *figures)
{
    (void)context, (void)figures;
    return 0;
}

/* Rank 0 takes its own forecast at once, as what is remembered goes by the candidates' order. */
static void foresee(struct star_communicator *state, struct star_context *context, struct news *news)
{
    STAR_FPENV_DEFAULT;
    struct star_recollections known;
    star_context_foresee(state, context, &news->forecast);
    star_context_take_forecast(state, context, &news->forecast);
    star_context_remember(state, context, RECALLED_MOST, &known);
    news->recalled = (int32_t)known.count;
    news->confidence = known.confidence;
    memcpy(news->known, known.at, (size_t)known.count * sizeof known.at[0]);
}

static void judge_new(struct star_communicator *state, struct star_context *context,
                      const struct star_heard *heard, const struct star_figure *sums,
                      struct star_outcome *outcome)
{
    struct news news;
    (void)sums;
    memset(&news, 0, sizeof news);
    news.same = heard->same;
    news.verdict = !heard->able || (context->site != 0 && !heard->same) ? REFUSED
                   : heard->awake                                       ? MADE
                                                                        : ASLEEP;
    if (news.verdict == MADE && context->subject.tuner != NULL)
        foresee(state, context, &news);
    outcome->bytes = (int32_t)sizeof news;
    memcpy(outcome->payload, &news, sizeof news);
}

/* The ranks call from different places, or not all of them are able. */
static void refuse_new(struct star_communicator *state, struct star_context *context, bool same)
{
    star_context_give_up(context);
    if (!same)
        star_communicator_forget_sites(state);
    else if (!state->tuned)
        star_communicator_stay_native(state);
}

static void take_news(struct star_communicator *state, struct star_context *context, const struct news *news)
{
    STAR_FPENV_DEFAULT;
    struct star_recollections known = {.count = news->recalled, .confidence = news->confidence};
    int64_t begin = star_now();
    memcpy(known.at, news->known, (size_t)news->recalled * sizeof known.at[0]);
    if (state->rank != 0) /* which has taken its own */
        star_context_take_forecast(state, context, &news->forecast);
    star_context_take_recollections(context, &known);
    star_context_foreseen(context, star_since(begin));
}

static bool take_new(struct star_communicator *state, struct star_context *context,
                     const struct star_outcome *outcome)
{
    struct news news;
    memcpy(&news, outcome->payload, sizeof news);
    star_pause_found(state, news.verdict != ASLEEP);
    if (news.verdict == REFUSED)
        refuse_new(state, context, news.same != 0);
    if (news.verdict != MADE)
        return false;
    context->fresh = false;
    if (!state->tuned)
        star_communicator_tuned(state);
    if (!news.same)
        star_communicator_forget_sites(state);
    if (context->subject.tuner != NULL)
        take_news(state, context, &news);
    return lacks_plans(state, context);
}

static const struct star_topic new_context = {
    .tell = tell_nothing, .judge = judge_new, .take = take_new, .make = make, .made = made};

/* Another decision. */

struct decided {
    int32_t same, resting;     /* the fastest that is known; −1: nothing is */
    struct star_spread spread; /* rank 0's */
    struct star_decision decision;
};
_Static_assert(sizeof(struct decided) <= STAR_OUTCOME_MOST, "a decision fits into an outcome");

static size_t tell_figures(struct star_context *context, struct star_figure *figures)
{
    if (figures != NULL)
        star_tuner_tell(context->subject.tuner, figures);
    return star_tuner_figures(context->subject.tuner);
}

static void decide(struct star_communicator *state, struct star_context *context,
                   const struct star_heard *heard, const struct star_figure *sums,
                   struct star_outcome *outcome)
{
    STAR_FPENV_DEFAULT;
    struct decided decided;
    struct star_consultation question = {state, context};
    memset(&decided, 0, sizeof decided); /* a decision that is none */
    decided.same = heard->same;
    decided.resting = -1;
    star_context_consult(&question);
    if (sums != NULL && heard->awake)
        star_tuner_decide(context->subject.tuner, sums, state->size, &decided.decision);
    else if (sums != NULL)
        star_tuner_rest(context->subject.tuner, sums, state->size, &decided.decision);
    decided.decision.asked = star_tuner_asked(context->subject.tuner);
    if (sums != NULL) {
        decided.spread = star_tuner_spread(context->subject.tuner);
        decided.resting = star_tuner_fastest(context->subject.tuner);
    }
    outcome->bytes =
        (int32_t)(offsetof(struct decided, decision) + star_tuner_decision_bytes(context->subject.tuner));
    memcpy(outcome->payload, &decided, (size_t)outcome->bytes);
}

static bool take_decision(struct star_communicator *state, struct star_context *context,
                          const struct star_outcome *outcome)
{
    STAR_FPENV_DEFAULT;
    struct decided decided;
    int64_t begin = star_now();
    memset(&decided, 0, sizeof decided);
    memcpy(&decided, outcome->payload, (size_t)outcome->bytes);
    context->due = false;
    context->subject.untimed = 0; /* of what ran until now; no call may take it for what runs from now on */
    context->straight = false;
    star_subject_watched(&context->subject, context->subject.now, &decided.spread);
    star_tuner_apply(context->subject.tuner, &decided.decision);
    if (context->site != 0 && !decided.same)
        star_communicator_forget_sites(state);
    star_context_decided(state, context, &decided.decision, &decided.spread, star_since(begin));
    if (!star_subject_is_open(&context->subject))
        context->resting = context->subject.now;
    else if (decided.resting >= 0 && decided.resting < context->candidates.count)
        context->resting = decided.resting;
    return lacks_plans(state, context);
}

static const struct star_topic decision = {
    .tell = tell_figures, .judge = decide, .take = take_decision, .make = make, .made = made};

/* Calls. */

static void begin_talk(struct star_communicator *state, struct star_context *context, int speaker)
{
    const struct star_topic *topic = context->fresh ? &new_context : context->due ? &decision : &plans;
    if (star_talk_goes_on(state))
        return;                                         /* its turn comes when that has ended */
    if (!context->fresh || state->calls > state->again) /* not while a rank has switched tuning off */
        star_talk_begin(state, topic, context,
                        hash_of(context->operation, &context->facts, context->subject.calls), speaker,
                        state->able && !context->poor);
}

static bool is_asking(const struct star_context *context)
{
    return context->talks && (context->fresh || context->due || context->lacks);
}

void star_rooted_step(const struct star_call *call, struct star_communicator *state,
                      const struct star_facts *facts)
{
    if (!star_talk_step(state, call, facts))
        return;
    for (struct star_context *context = state->contexts.first; context; context = context->next)
        if (is_asking(context)) {
            begin_talk(state, context, speaker_of(call));
            return;
        }
}

/* All ranks have it at once, or something in its place; native runs until they know that of each other. */
static struct star_context *new_context_of(const struct star_call *call, struct star_communicator *state,
                                           const struct star_facts *facts, uint64_t site)
{
    struct star_context *context = star_context_make(state, call, facts, site);
    if (context != NULL)
        star_contexts_add(&state->contexts, context);
    else
        context = star_context_stub(state, call->operation, facts, site);
    if (context != NULL)
        context->talks = context->fresh = true;
    return context;
}

void star_rooted_begin(const struct star_call *call, struct star_communicator *state,
                       struct star_context *context)
{
    if (!state->tuned)
        star_communicator_open(state, call->comm);
    if (!star_talk_is_possible(state))
        return;
    if (star_sharing_goes_on(state, speaker_of(call)))
        return; /* the next time */
    context->poor = !star_context_mature(state, context);
    context->current = -1;
    context->early = context->straight = false;
    context->subject.untimed = 0;
    context->talks = context->fresh = true;
}

/* Sizes past the bound: what stands in for them runs where there is a plan. */
static int run_past_bound(const struct star_call *call, struct star_communicator *state,
                          const struct star_facts *facts, uint64_t site)
{
    struct star_stand_in other = star_stand_in_for(state, call->operation, facts, site);
    state->other_calls[call->operation]++;
    if (other.native || !other.suits)
        return star_run_natively(state, call);
    struct star_shared_runner *runner = star_runner_at_hand(state, &other.method, facts);
    int error = star_run_with(state, runner, call, facts);
    star_runner_release(state, runner);
    return error;
}

static int run_uncounted(const struct star_call *call, struct star_communicator *state,
                         struct star_context *context, const struct star_facts *facts)
{
    const struct star_method *method = &context->candidates.at[context->resting];
    struct star_shared_runner *runner =
        star_is_native(method) || context->fresh ? NULL : star_runner_at_hand(state, method, facts);
    star_subject_pass(&context->subject);
    int error = star_run_with(state, runner, call, facts);
    star_runner_release(state, runner);
    return error;
}

static bool is_waiting(const struct star_communicator *state, const struct star_context *context)
{
    bool talked_about = star_talk_goes_on(state) && state->talk->context == context;
    return talked_about || is_asking(context);
}

/* Leaves out what not all ranks could make. */
static void settle(struct star_communicator *state, struct star_context *context, int speaker)
{
    int turns = 2 * context->candidates.count;
    while (context->subject.tuner != NULL && !is_waiting(state, context) && turns-- > 0 &&
           context->uses[context->subject.now].unable)
        if (star_subject_leave_out(&context->subject, STAR_UNABLE)) {
            context->due = true;
            begin_talk(state, context, speaker);
        }
}

/* Makes the tuner's candidate the current one. False: it has no plan for this call. */
static bool find_runner(struct star_communicator *state, struct star_context *context,
                        const struct star_facts *facts)
{
    int candidate = context->subject.now;
    const struct star_method *method = &context->candidates.at[candidate];
    bool serves = context->current == candidate && context->runner != NULL &&
                  star_runner_serves(context->runner, method, facts);
    if (context->current != candidate) {
        context->subject.untimed = 0;
        context->straight = false;
    }
    if (!serves) {
        star_runner_release(state, context->runner);
        context->runner = star_is_native(method) || context->uses[candidate].unable
                              ? NULL
                              : star_runner_at_hand(state, method, facts);
    }
    context->current = candidate;
    return context->runner != NULL || star_is_native(method) || context->uses[candidate].unable;
}

static int run_timed(const struct star_call *call, struct star_communicator *state,
                     struct star_context *context, const struct star_facts *facts)
{
    int64_t begin = star_now();
    int error = star_run_with(state, context->runner, call, facts);
    if (star_subject_count(&context->subject, context->current, star_since(begin))) {
        context->due = true;
        begin_talk(state, context, speaker_of(call));
    }
    star_context_leave_untimed(context);
    return error;
}

int star_rooted_run(const struct star_call *call, struct star_communicator *state,
                    struct star_context *context, const struct star_facts *facts)
{
    note_variant(state, context, facts);
    if (context->fresh)
        begin_talk(state, context, speaker_of(call));
    settle(state, context, speaker_of(call));
    if (is_waiting(state, context))
        return run_uncounted(call, state, context, facts);
    if (!find_runner(state, context, facts)) {
        context->lacks = true;
        begin_talk(state, context, speaker_of(call));
        return run_uncounted(call, state, context, facts);
    }
    if (!star_subject_skips(&context->subject))
        return run_timed(call, state, context, facts);
    return star_run_with(state, context->runner, call, facts);
}

int star_rooted_dispatch(const struct star_call *call, struct star_communicator *state,
                         const struct star_facts *facts, uint64_t site)
{
    if (!state->tuned && star_is_worth_tuning(state, call))
        star_communicator_open(state, call->comm);
    if (!star_talk_is_possible(state) || state->site_mismatch)
        site = 0;
    if (!star_talk_is_possible(state))
        return star_run_natively(state, call);
    struct star_context *context = star_contexts_find(&state->contexts, call->operation, facts, site);
    bool wanted = context == NULL && star_is_wanted(state, call->operation, facts, site);
    if (wanted && star_is_worth_tuning(state, call) && !star_sharing_goes_on(state, speaker_of(call)))
        context = new_context_of(call, state, facts, site);
    if (context != NULL && !star_talk_goes_on(state))
        star_repeat_remember(state, call, context, facts);
    if (context != NULL)
        return star_rooted_run(call, state, context, facts);
    return wanted || !state->tuned ? star_run_natively(state, call)
                                   : run_past_bound(call, state, facts, site);
}
