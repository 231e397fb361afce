/* SPDX-License-Identifier: BSD-3-Clause
 * A communicator, and what the runtime would make of it. */
#pragma once

#include "runtime/state.h"

struct ground {
    MPI_Comm comm;                 /* what native measures */
    struct star_communicator here; /* and methods: its private duplicate */
};
/* The settings `nodes` and `topology`, for all grounds. Collective over MPI_COMM_WORLD, as ground_end. */
void ground_begin(const char *nodes, const char *topology);
void ground_end(void);
/* Of the ranks of COMM, over which it is collective. */
void ground_open(struct ground *ground, MPI_Comm comm);
void ground_close(struct ground *ground);
