/* SPDX-License-Identifier: BSD-3-Clause
 * What ranks send each other for a communicator in another order: see reorder.h. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a graph, between ranks. */
struct star_edge {
    int from, to, weight;
};

/* What rank 0 needs to receive all ranks' edges. */
struct star_gathering {
    int *counts, *places; /* of each rank, in ints */
    struct star_edge *all;
    size_t total; /* edges */
};

/* On rank 0, before the others rely on it. Local; false when out of memory. */
bool star_gathering_open(struct star_gathering *gathering, int size);
void star_gathering_close(struct star_gathering *gathering);
/* The COUNT edges that each rank of COMM has, on rank 0. TOLD has a number for each rank there, for what it
 * tells them. False on all ranks: they are more than MOST, or there is no memory for them. Collective. */
bool star_gather_edges(MPI_Comm comm, const struct star_edge *mine, size_t count, size_t most, int64_t *told,
                       struct star_gathering *gathering);

/* A communicator of those ranks of COMM whose RANK is not negative, in the order of RANK, and with the error
 * handler of COMM; MPI_COMM_NULL on the others. Collective over COMM. False, on all: it cannot be made. */
bool star_permute(MPI_Comm comm, int rank, MPI_Comm *permuted);

/* Where several threads make communicators at once, no rank goes on before all of COMM have what they made of
 * the permuted one. Open MPI lets the thread go first whose old communicator has the lowest number: if some
 * ranks were still at the permuted one, and others at COMM again, other threads' would wait crosswise. */
void star_permute_end(MPI_Comm comm);

/* The arguments of MPI_Dist_graph_create_adjacent. */
struct star_adjacent {
    int sources, destinations;
    const int *source, *source_weight, *destination, *destination_weight;
};

/* This process has given MINE for the rank OWN. THEIRS becomes what was given for its rank in PERMUTED, in
 * *MEMORY, which is to be freed. Collective over PERMUTED; false on all ranks: no memory. */
bool star_permute_adjacent(MPI_Comm permuted, int own, const struct star_adjacent *mine,
                           struct star_adjacent *theirs, int **memory);
