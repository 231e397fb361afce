/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/making.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "algorithms/traits.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/maps.h"
#include "runtime/policy.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/site.h"
#include "runtime/subjects.h"
#include "runtime/warn.h"
#include "tuner/candidates.h"
#include "tuner/inside.h"
#include "tuner/strategies.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/fpenv.h"
#include "util/parse.h"
#include "util/why.h"
#include "util/spare.h"

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

/* In place of native alone; one more has room: should a forced one be wrong, native runs. False: nothing
 * changed. */
static bool take_candidates(const struct star_communicator *state, struct star_context *context)
{
    STAR_FPENV_DEFAULT;
    struct star_methods native = context->candidates;
    context->candidates = (struct star_methods){0};
    bool made = choose_candidates(context, state);
    int room = context->candidates.count + 1;
    struct star_use *uses = made ? calloc((size_t)room, sizeof *uses) : NULL;
    if (uses != NULL && star_subject_grow(&context->subject, room)) {
        context->subject.count = context->candidates.count;
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

/* To look through the whole repository takes as long as hundreds of calls. */
static struct star_method native_of(enum star_operation operation)
{
    const struct star_algorithm *_Atomic *native = &star_runtime.natives[operation];
    const struct star_algorithm *found = atomic_load_explicit(native, memory_order_relaxed);
    if (found == NULL) {
        found = star_native_of(operation).algorithm;
        atomic_store_explicit(native, found, memory_order_relaxed);
    }
    return (struct star_method){.algorithm = found};
}

/* With native alone. */
static struct star_context *make_alone(struct star_communicator *state, const struct star_call *call,
                                       const struct star_facts *facts, uint64_t site)
{
    struct star_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->operation = call->operation;
    context->facts = *facts;
    context->site = site;
    context->subject.kind = &methods;
    context->subject.meets = star_operation_awaits_all(call->operation);
    star_apply_settings(&context->subject, state->rank, state->size);
    context->candidates.at = malloc(sizeof *context->candidates.at);
    context->uses = calloc(1, sizeof *context->uses);
    if (context->candidates.at == NULL || context->uses == NULL || !star_subject_make(&context->subject, 1) ||
        !star_contexts_make_room(&state->contexts, call->operation, site)) {
        star_context_free(NULL, context);
        return NULL;
    }
    context->candidates.at[0] = native_of(call->operation);
    context->candidates.count = 1;
    if (state->rank == 0) { /* which tells of it in the report */
        star_site_name(call->site, context->caller, sizeof context->caller);
        context->module = star_site_module(call->site);
    }
    return context;
}

struct star_context *star_context_make(struct star_communicator *state, const struct star_call *call,
                                       const struct star_facts *facts, uint64_t site)
{
    struct star_context *context = make_alone(state, call, facts, site);
    if (context != NULL && star_context_mature(state, context))
        return context;
    star_context_free(NULL, context);
    return NULL;
}

struct star_context *star_context_early(struct star_communicator *state, const struct star_call *call,
                                        const struct star_facts *facts)
{
    struct star_context *context = make_alone(state, call, facts, 0);
    if (context != NULL)
        star_contexts_add(&state->contexts, context);
    else
        context = star_context_stub(state, call->operation, facts, 0);
    if (context != NULL) {
        context->current = 0;
        context->early = true;
    }
    return context;
}

bool star_context_mature(const struct star_communicator *state, struct star_context *context)
{
    if (context->stub || !take_candidates(state, context))
        return false;
    context->current = -1;
    context->early = context->straight = false;
    context->subject.untimed = 0;
    return true;
}

struct stub {
    struct star_context context; /* the first member */
    struct star_method native;
    struct star_tally tally[2];
    struct star_use uses[2];
};
STAR_SPARES(struct stub, stubs, 256);

struct star_context *star_context_stub(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site)
{
    struct stub *stub = star_spare_take(&stubs);
    if (stub == NULL)
        return NULL;
    stub->native = native_of(operation);
    stub->context = (struct star_context){.subject = {.kind = &methods,
                                                      .tally = stub->tally,
                                                      .count = 1,
                                                      .tallies = 2,
                                                      .native_before = STAR_UNKNOWN_SECONDS},
                                          .operation = operation,
                                          .facts = *facts,
                                          .site = site,
                                          .current = -1,
                                          .candidates = {&stub->native, 1},
                                          .uses = stub->uses,
                                          .stub = true,
                                          .poor = true,
                                          .next = state->contexts.first};
    state->contexts.first = &stub->context;
    state->contexts.stubs++;
    return &stub->context;
}

static void free_stub(struct star_context *context)
{
    free(context->variants);
    star_subject_free_batches(&context->subject);
    star_spare_free(&stubs, context);
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
