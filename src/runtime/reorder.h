/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators with a topology whose ranks the MPI library may reorder: MPI_Cart_create and its like. Ranks
 * that the topology has talk come near each other, on a host or behind a switch, where that is expected to
 * pay (place/reorder.h). Of a grid or graph of fewer ranks than COMM the processes that take part stay those
 * that do so natively.
 *
 * All are collective over COMM. False on all ranks: the order stays, and the call is the MPI library's. True:
 * *PERMUTED, to be freed, has the processes in the order in which they are to be; MPI_COMM_NULL on those that
 * take no part. */
#pragma once

#include "runtime/permute.h"

bool star_reorder_grid(MPI_Comm comm, int dimensions, const int *sizes, const int *periodic,
                       MPI_Comm *permuted);
bool star_reorder_graph(MPI_Comm comm, int nodes, const int *index, const int *edges, MPI_Comm *permuted);
/* The arguments of MPI_Dist_graph_create. */
struct star_sources {
    int count;
    const int *source, *degree, *destination, *weight;
};
bool star_reorder_sources(MPI_Comm comm, const struct star_sources *mine, MPI_Comm *permuted);
/* THEIRS, in *MEMORY, to be freed, becomes what this process has to say of its rank in *PERMUTED. */
bool star_reorder_adjacent(MPI_Comm comm, const struct star_adjacent *mine, MPI_Comm *permuted,
                           struct star_adjacent *theirs, int **memory);
