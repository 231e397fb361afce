/* SPDX-License-Identifier: BSD-3-Clause
 * How a call is served once it is known what serves it. */
#pragma once

#include "exec/segment.h"
#include "runtime/state.h"

/* The MPI library makes the call that was counted: ranks that wait in shared memory see it. */
static inline void star_tell_native(const struct star_communicator *state)
{
    if (state->route.segment != NULL)
        star_segment_number(state->route.segment, state->calls, true);
}

/* The MPI library makes the call, and ranks that wait for this one in shared memory see it. */
int star_run_natively(const struct star_communicator *state, const struct star_call *call);
/* Runs RUNNER, or native where that is NULL. MPI error code, raised already. */
int star_run_with(struct star_communicator *state, struct star_shared_runner *runner,
                  const struct star_call *call, const struct star_facts *facts);
/* What is tuned already, and stands in for a size past the bound. */
struct star_stand_in {
    struct star_context *context; /* NULL: a decision map */
    int choice;                   /* of the context's candidates */
    bool native;                  /* then METHOD says nothing */
    bool suits;                   /* the size at hand */
    struct star_method method;
};
struct star_stand_in star_stand_in_for(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site);
/* Raises ERROR, if it is one, on the call's communicator, and returns it. */
int star_raise(const struct star_call *call, int error);
