/* SPDX-License-Identifier: BSD-3-Clause
 * Who talks to whom, as a topology of MPI says it: the neighbours in a grid, or the edges of a graph. */
#pragma once

#include "place/matrix.h"

#include <stdint.h>

/* Ranks of a grid of so many DIMENSIONS; 0: one is not positive, or there are more than MOST. */
int star_grid_ranks(int dimensions, const int *sizes, int most);
/* Each rank's neighbours along each dimension, which may be PERIODIC. ENTRIES has room for 2 × DIMENSIONS of
 * each rank; returns how many were filled, each with the weight 1 for bytes. */
size_t star_grid_edges(int dimensions, const int *sizes, const int *periodic,
                       struct star_matrix_entry *entries);
/* The same of a graph of NODES, as MPI_Graph_create takes it; ENTRIES has room for INDEX[NODES − 1]. */
size_t star_graph_edges(int nodes, const int *index, const int *edges, struct star_matrix_entry *entries);
/* Turns the weights of COUNT entries into bytes of one message each: what programs send in the mean is not
 * known, so it is taken for 64 KiB. */
void star_edges_weigh(struct star_matrix_entry *entries, size_t count);
