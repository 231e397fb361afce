/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/serve.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/maps.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/staging.h"
#include "util/fpenv.h"

int star_raise(const struct star_call *call, int error)
{
    if (error != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(call->comm, error);
    return error;
}

/* Does a setting name the operation's methods? Then they run at any size. */
static bool is_asked_for(enum star_operation operation)
{
    return star_methods_first(&star_runtime.force, operation) ||
           star_methods_first(&star_runtime.only, operation);
}

static struct star_stand_in by_map(const struct star_communicator *state, enum star_operation operation,
                                   const struct star_facts *facts)
{
    STAR_FPENV_DEFAULT;
    struct star_shape shape = star_shape_for(state, operation, facts);
    struct star_stand_in other = {.method = star_maps_choose(operation, &shape, facts->bytes), .suits = true};
    other.native = star_is_native(&other.method);
    return other;
}

/* What the context has chosen, if it can take the size. KEEPS: or what can, as all of its candidates give the
 * same bits. */
static void take_choice(const struct star_communicator *state, enum star_operation operation,
                        const struct star_facts *facts, bool keeps, struct star_stand_in *other)
{
    STAR_FPENV_DEFAULT;
    struct star_shape shape = star_shape_for(state, operation, facts);
    const struct star_methods *candidates = &other->context->candidates;
    while (keeps && other->choice + 1 < candidates->count &&
           !star_method_is_candidate(&candidates->at[other->choice], &shape, facts->bytes))
        other->choice++;
    other->method = candidates->at[other->choice];
    other->native = star_is_native(&other->method);
    other->suits = is_asked_for(operation) || keeps
                       ? star_method_applies(&other->method, &shape, NULL) == 0
                       : star_method_is_candidate(&other->method, &shape, facts->bytes);
}

/* The map has a method for each size; else that of the nearest tuned size, where one was chosen. Without any,
 * native is. A program may have thousands of sizes, most of them native's: what that needs is little. */
struct star_stand_in star_stand_in_for(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site)
{
    if (star_maps_know(operation) && star_methods_first(&star_runtime.force, operation) == NULL)
        return by_map(state, operation, facts);
    struct star_stand_in other = {.context = star_contexts_nearest(&state->contexts, operation, facts, site),
                                  .native = true};
    const struct star_context *context = other.context;
    bool keeps = star_keeps_rank_order(operation);
    bool chosen = context && !star_subject_is_open(&context->subject);
    if (context == NULL || (!chosen && !keeps))
        return other;
    other.choice = chosen ? context->subject.now : 0;
    if (keeps || !star_is_native(&context->candidates.at[other.choice]))
        take_choice(state, operation, facts, keeps, &other);
    return other;
}

static int run_priced(const struct star_call *call)
{
    int64_t begin = star_now();
    int error = star_servers[call->operation].native(call);
    star_price_served(begin);
    return error;
}

int star_run_natively(const struct star_communicator *state, const struct star_call *call)
{
    star_tell_native(state);
    if (star_runtime.price.open)
        return run_priced(call);
    return star_servers[call->operation].native(call);
}

/* RUNNER is NULL: native. */
int star_run_with(struct star_communicator *state, struct star_shared_runner *runner,
                  const struct star_call *call, const struct star_facts *facts)
{
    if (runner == NULL)
        return star_run_natively(state, call);
    int64_t begin = star_runtime.price.open ? star_now() : 0;
    int error = star_staged_run(state, runner, call, facts);
    if (star_runtime.price.open)
        star_price_served(begin);
    return error == STAR_EXECUTE_APART ? star_run_natively(state, call) : star_raise(call, error);
}
