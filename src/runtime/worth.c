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

/* Calls that pass before it is tuned, so that short-lived communicators cost nothing. */
static int64_t calls_to_pass(const struct star_call *call)
{
    enum { SHORT_LIVED = 3 };
    int64_t told = star_runtime.settings.tune_after;
    return told >= 0 ? told : call->comm == MPI_COMM_WORLD ? 0 : SHORT_LIVED;
}

bool star_is_worth_tuning(const struct star_communicator *state, const struct star_call *call)
{
    bool forced = star_methods_first(&star_runtime.force, call->operation) != NULL ||
                  star_keeps_rank_order(call->operation) || star_maps_know(call->operation);
    return state->calls > (forced ? 0 : calls_to_pass(call)) && state->calls > state->again;
}

bool star_is_wanted(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, uint64_t site)
{
    const struct star_contexts *contexts = &state->contexts;
    return star_contexts_count(contexts, operation, site) + state->stubs < star_runtime.settings.sizes ||
           (star_keeps_rank_order(operation) &&
            star_contexts_nearest(contexts, operation, facts, site) == NULL);
}
