/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests that send: what each start of them sends. Callers take care that threads do not meet.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

struct star_started {
    MPI_Request request;
    int peer; /* in MPI_COMM_WORLD */
    int64_t bytes;
};

/* Without memory it is not known, and not counted. */
void star_started_add(MPI_Request request, int peer, int64_t bytes);
/* NULL: it is another request. */
const struct star_started *star_started_find(MPI_Request request);
void star_started_remove(MPI_Request request);
