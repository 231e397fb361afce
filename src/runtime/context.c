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
#include "runtime/maps.h"
#include "runtime/opened.h"
#include "runtime/pause.h"
#include "runtime/policy.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/site.h"
#include "runtime/state.h"
#include "runtime/subjects.h"
#include "runtime/warn.h"
#include "runtime/watch.h"
#include "runtime/wisdom.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/strategies.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/parse.h"
#include "util/seconds.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name(const struct star_subject *subject, int candidate, char text[STAR_SUBJECT_NAME])
{
    const struct star_context *context = (const struct star_context *)subject;
    star_method_format(&context->candidates.at[candidate], text, STAR_SUBJECT_NAME);
}

/* "ring,sync=light": the line names the operation already. */
static void name_shortly(const struct star_subject *subject, int candidate, char text[STAR_SUBJECT_NAME])
{
    char whole[STAR_SUBJECT_NAME];
    name(subject, candidate, whole);
    const char *colon = strchr(whole, ':');
    snprintf(text, STAR_SUBJECT_NAME, "%s", colon ? colon + 1 : whole);
}

static void say_about(const struct star_subject *subject, char about[STAR_SUBJECT_NAME])
{
    const struct star_context *context = (const struct star_context *)subject;
    const char *operation = star_operations[context->operation].name;
    char size[32];
    if (context->facts.bytes >= 0)
        snprintf(about, STAR_SUBJECT_NAME, "%s %s bytes", operation,
                 star_format_bytes(context->facts.bytes, size, sizeof size));
    else
        snprintf(about, STAR_SUBJECT_NAME, "%s of varying sizes", operation);
}

static void describe(const struct star_subject *subject, int candidate, struct star_text *text)
{
    const struct star_context *context = (const struct star_context *)subject;
    star_json_bool(text, "wrong", context->uses[candidate].wrong);
    if (context->predicted != NULL)
        star_json_seconds(text, "predicted_seconds", context->predicted[candidate].seconds);
}

static const struct star_subject_kind methods = {.alternative = "method",
                                                 .first = "native",
                                                 .name = name,
                                                 .shortly = name_shortly,
                                                 .about = say_about,
                                                 .describe = describe};

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
    context->subject.tuner = new_tuner(&context->candidates, groups, state->rank == 0);
    free(groups);
    return context->subject.tuner != NULL;
}

static struct star_context *new_of(const struct star_communicator *state, enum star_operation operation,
                                   const struct star_facts *facts, uint64_t site)
{
    struct star_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->operation = operation;
    context->facts = *facts;
    context->site = site;
    context->current = -1;
    context->subject.kind = &methods;
    context->subject.meets = star_operation_awaits_all(operation);
    star_apply_settings(&context->subject, state->rank, state->size);
    return context;
}

static struct star_context *make(struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts, uint64_t site)
{
    STAR_FPENV_DEFAULT;
    struct star_context *context = new_of(state, operation, facts, site);
    if (context == NULL)
        return NULL;
    bool made =
        star_contexts_make_room(&state->contexts, operation, site) && choose_candidates(context, state);
    if (made) { /* one more: should a forced one be wrong, native runs */
        made = star_subject_make(&context->subject, context->candidates.count + 1);
        context->subject.count = context->candidates.count;
        context->uses = calloc((size_t)context->candidates.count + 1, sizeof *context->uses);
        made = made && context->uses != NULL;
    }
    if (!made) {
        star_context_free(NULL, context);
        return NULL;
    }
    return context;
}

static struct star_context *make_early(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts)
{
    struct star_context *context = new_of(state, operation, facts, 0);
    if (context == NULL)
        return NULL;
    context->candidates.at = malloc(sizeof *context->candidates.at);
    context->uses = calloc(1, sizeof *context->uses);
    if (context->candidates.at == NULL || context->uses == NULL || !star_subject_make(&context->subject, 1) ||
        !star_contexts_make_room(&state->contexts, operation, 0)) {
        star_context_free(NULL, context);
        return NULL;
    }
    context->candidates.at[0] = star_native_of(operation);
    context->candidates.count = 1;
    star_contexts_add(&state->contexts, context);
    return context;
}

struct star_context *star_context_early(struct star_communicator *state, enum star_operation operation,
                                        const struct star_facts *facts)
{
    struct star_context *context = make_early(state, operation, facts);
    if (context == NULL)
        context = star_context_stub(state, operation, facts, 0);
    if (context != NULL) {
        context->current = 0;
        context->early = true;
    }
    return context;
}

enum { SPARE = 32 };
static struct spare_context {
    atomic_bool taken;
    struct star_context context;
    struct star_method native;
    struct star_tally tally[2];
    struct star_use uses[2];
} spare[SPARE];

struct star_context *star_context_stub(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site)
{
    for (int i = 0; i < SPARE; i++)
        if (!atomic_exchange(&spare[i].taken, true)) {
            struct star_context *context = &spare[i].context;
            spare[i].native = star_native_of(operation);
            memset(spare[i].tally, 0, sizeof spare[i].tally);
            memset(spare[i].uses, 0, sizeof spare[i].uses);
            *context = (struct star_context){.subject = {.kind = &methods,
                                                         .tally = spare[i].tally,
                                                         .count = 1,
                                                         .tallies = 2,
                                                         .native_before = STAR_UNKNOWN_SECONDS},
                                             .operation = operation,
                                             .facts = *facts,
                                             .site = site,
                                             .current = -1,
                                             .candidates = {&spare[i].native, 1},
                                             .uses = spare[i].uses,
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
    star_subject_free_batches(&context->subject);
    for (int i = 0; i < SPARE; i++)
        if (context == &spare[i].context)
            atomic_store(&spare[i].taken, false);
}

void star_context_give_up(struct star_context *context)
{
    star_tuner_free(context->subject.tuner);
    context->subject.tuner = NULL;
    context->subject.now = 0;
    context->candidates.at[0] = star_native_of(context->operation);
    context->candidates.count = context->subject.count = 1;
    star_subject_renew(&context->subject);
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

/* Rank 0 tells of it in the report. */
static void name_place(const struct star_communicator *state, struct star_context *context,
                       const struct star_call *call)
{
    if (state->rank != 0)
        return;
    star_site_name(call->site, context->caller, sizeof context->caller);
    context->module = star_site_module(call->site);
}

struct star_context *star_context_make(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, const struct star_call *call,
                                       uint64_t site)
{
    struct star_context *context = make(state, operation, facts, site);
    if (context != NULL)
        name_place(state, context, call);
    return context;
}

/* False: nothing changed. */
static bool take_candidates(const struct star_communicator *state, struct star_context *context)
{
    struct star_methods native = context->candidates;
    context->candidates = (struct star_methods){0};
    bool made = choose_candidates(context, state);
    struct star_use *uses = NULL;
    if (made)
        uses = calloc((size_t)context->candidates.count, sizeof *uses);
    if (uses != NULL && star_subject_grow(&context->subject, context->candidates.count)) {
        star_methods_free(&native);
        free(context->uses);
        context->uses = uses;
        return true;
    }
    free(uses);
    star_tuner_free(context->subject.tuner);
    context->subject.tuner = NULL;
    star_methods_free(&context->candidates);
    context->candidates = native;
    return false;
}

bool star_context_mature(const struct star_communicator *state, struct star_context *context,
                         const struct star_call *call)
{
    STAR_FPENV_DEFAULT;
    context->early = false;
    context->straight = false;
    context->subject.untimed = 0;
    if (context->stub || !take_candidates(state, context))
        return false;
    context->current = -1;
    name_place(state, context, call);
    return true;
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

struct star_context *star_context_new(struct star_communicator *state, enum star_operation operation,
                                      const struct star_facts *facts, const struct star_call *call,
                                      uint64_t site)
{
    int64_t begin = star_now();
    struct star_context *context = star_context_make(state, operation, facts, call, site);
    int64_t made = star_since(begin);
    if (!is_agreed(state, context != NULL, site)) {
        star_context_free(state, context);
        return NULL;
    }
    star_contexts_add(&state->contexts, context);
    begin_tuning(state, context, made, star_since(begin) - made);
    return context;
}

bool star_context_promote(struct star_communicator *state, struct star_context *context,
                          const struct star_call *call)
{
    int64_t begin = star_now();
    bool able = star_context_mature(state, context, call);
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
    star_subject_free(&context->subject);
    star_methods_free(&context->candidates);
    free(context->predicted);
    free(context->variants);
    for (int i = 0; i < context->makings; i++)
        star_runner_discard(context->making[i]);
    free(context->making);
    free(context->uses);
    free(context);
}

size_t star_context_bytes(const struct star_context *context)
{
    size_t bytes = sizeof *context + star_subject_bytes(&context->subject);
    bytes += (size_t)context->candidates.count * (sizeof *context->candidates.at + sizeof *context->uses);
    return bytes + (context->predicted ? (size_t)context->candidates.count * sizeof *context->predicted : 0);
}
