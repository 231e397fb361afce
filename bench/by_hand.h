/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms as one writes them with MPI's own calls: what plans are measured against. */
#ifndef STAR_BENCH_BY_HAND_H
#define STAR_BENCH_BY_HAND_H

#include <mpi.h>

struct work {
    MPI_Comm comm;
    int rank, size, bytes; /* as the operation measures them */
    char *send, *recv, *spare;
    MPI_Request *requests; /* 2 × SIZE */
};

void alltoall_simple(const struct work *w);
void allreduce_doubling(const struct work *w); /* SIZE is a power of two */
void allreduce_ring(const struct work *w);     /* and divides the vector */
void bcast_binomial(const struct work *w);
void bcast_chain(const struct work *w); /* in segments of 64 KB */

#endif
