/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/worth.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "runtime/brief.h"
#include "runtime/call.h"
#include "runtime/ids.h"
#include "runtime/maps.h"
#include "runtime/policy.h"
#include "runtime/session.h"
#include "runtime/siblings.h"

/* Calls that pass before it is tuned. Setting up a communicator takes a handful of agreements, each as long
 * as a short call; of many that one parent has, each is used for a few calls and never earns that. Only what
 * ranks have agreed on may count here, and calls: of lengths that differ the MPI library lets many pass. */
static int64_t calls_to_pass(const struct star_communicator *state, const struct star_call *call)
{
    enum { ONE_OF_FEW = 3 };
    int64_t told = star_runtime.settings.tune_after;
    if (told >= 0 || call->comm == star_all())
        return told >= 0 ? told : 0;
    bool numbered = state->id != STAR_NO_ID || star_runtime.messages == MPI_COMM_NULL;
    return numbered ? ONE_OF_FEW : STAR_BRIEF_CALLS;
}

bool star_is_worth_tuning(const struct star_communicator *state, const struct star_call *call)
{
    bool forced = star_methods_first(&star_runtime.force, call->operation) != NULL ||
                  star_keeps_rank_order(call->operation) || star_maps_know(call->operation);
    return state->calls > (forced ? 0 : calls_to_pass(state, call)) && state->calls > state->again;
}

bool star_is_one_of_many(const struct star_communicator *state, enum star_operation operation)
{
    return 2 * star_contexts_count(&state->contexts, operation, 0) >= star_runtime.settings.sizes;
}

bool star_is_wanted(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, uint64_t site)
{
    const struct star_contexts *contexts = &state->contexts;
    return star_contexts_count(contexts, operation, site) < star_runtime.settings.sizes ||
           (star_keeps_rank_order(operation) &&
            star_contexts_nearest(contexts, operation, facts, site) == NULL);
}
