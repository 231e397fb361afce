/* SPDX-License-Identifier: BSD-3-Clause
 * What of its buffers a call reads and writes on this rank. */
#pragma once

#include "runtime/shadow.h"
#include "runtime/state.h"

struct star_areas {
    struct star_area sent, received; /* what must stay, and what must be right */
    struct star_area input;          /* of reductions */
    /* What else lies in the receive buffer: the input in place, what exscan leaves on rank 0. */
    struct star_area other;
};
/* False: buffers that MPI refuses. */
bool star_areas_of(const struct star_call *call, const struct star_communicator *state,
                   const struct star_facts *facts, struct star_areas *areas);
