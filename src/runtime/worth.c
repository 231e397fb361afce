/* SPDX-License-Identifier: BSD-3-Clause
 * Is it worth while to begin something new? All ranks answer alike. */
#include "runtime/worth.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "runtime/maps.h"
#include "runtime/policy.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/state.h"

void star_weigh_call(struct star_communicator *state, const struct star_facts *facts)
{
    enum { LIGHT = 4096 }; /* bytes that take about as long again as a call of few */
    state->weight += 1 + (facts->bytes > 0 ? facts->bytes / LIGHT : 0);
}

/* Setting up a communicator takes a handful of agreements, each as long as a short call. Where one is made
 * for a few calls, that is never earned again. So it waits until calls there were worth many times that. */
static bool is_earned(const struct star_communicator *state, const struct star_call *call)
{
    enum { ENOUGH = 100 };
    int64_t told = star_runtime.settings.tune_after;
    return told >= 0 ? state->calls > told : call->comm == MPI_COMM_WORLD || state->weight > ENOUGH;
}

bool star_is_worth_tuning(const struct star_communicator *state, const struct star_call *call)
{
    bool forced = star_methods_first(&star_runtime.force, call->operation) != NULL ||
                  star_keeps_rank_order(call->operation) || star_maps_know(call->operation);
    return (forced || is_earned(state, call)) && state->calls > state->again;
}

bool star_is_wanted(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, uint64_t site)
{
    const struct star_contexts *contexts = &state->contexts;
    return star_contexts_count(contexts, operation, site) + state->stubs < star_runtime.settings.sizes ||
           (star_keeps_rank_order(operation) &&
            star_contexts_nearest(contexts, operation, facts, site) == NULL);
}
