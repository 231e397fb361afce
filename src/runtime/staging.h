/* SPDX-License-Identifier: BSD-3-Clause
 * Calls whose buffers lie in a device's memory run on images of them in the host's. */
#pragma once

#include "runtime/shadow.h"
#include "runtime/state.h"

struct star_staging {
    struct star_call call;    /* on what the host may touch */
    char *sent, *received;    /* memory of the images; NULL: the program's buffer is the host's */
    struct star_area results; /* to be brought back from the image */
    int64_t shift;            /* from the program's receive buffer to the image */
};
/* Both return an MPI error code, raised nowhere. Local: what other ranks run is the same, wherever their
 * buffers lie. */
int star_staging_begin(struct star_staging *staging, const struct star_communicator *state,
                       const struct star_call *call, const struct star_facts *facts);
/* ERROR is the call's, and is returned where it is one. */
int star_staging_end(struct star_staging *staging, int error);
/* star_runner_run, wherever the buffers lie. */
int star_staged_run(struct star_communicator *state, struct star_shared_runner *runner,
                    const struct star_call *call, const struct star_facts *facts);
