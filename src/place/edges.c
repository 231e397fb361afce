/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/edges.h"

int star_grid_ranks(int dimensions, const int *sizes, int most)
{
    int64_t ranks = 1;
    for (int d = 0; d < dimensions; d++) {
        if (sizes[d] < 1 || ranks * sizes[d] > most)
            return 0;
        ranks *= sizes[d];
    }
    return (int)ranks;
}

/* The neighbour of RANK by STEP in a dimension of SIZE, whose neighbours are STRIDE ranks apart; −1: none. */
static int neighbor_of(int rank, int step, int size, int stride, int periodic)
{
    int place = rank / stride % size, to = place + step;
    if (!periodic && (to < 0 || to >= size))
        return -1;
    return rank + ((to + size) % size - place) * stride;
}

size_t star_grid_edges(int dimensions, const int *sizes, const int *periodic,
                       struct star_matrix_entry *entries)
{
    size_t filled = 0;
    int ranks = star_grid_ranks(dimensions, sizes, INT32_MAX), stride = ranks;
    for (int d = 0; d < dimensions; d++) { /* the last one's neighbours are next to each other */
        stride /= sizes[d];
        for (int rank = 0; rank < ranks; rank++)
            for (int step = -1; step <= 1; step += 2) {
                int to = neighbor_of(rank, step, sizes[d], stride, periodic[d]);
                if (to >= 0)
                    entries[filled++] = (struct star_matrix_entry){rank, to, 1, 1};
            }
    }
    return filled;
}

size_t star_graph_edges(int nodes, const int *index, const int *edges, struct star_matrix_entry *entries)
{
    size_t filled = 0;
    for (int node = 0; node < nodes; node++)
        for (int i = node > 0 ? index[node - 1] : 0; i < index[node]; i++)
            entries[filled++] = (struct star_matrix_entry){node, edges[i], 1, 1};
    return filled;
}

void star_edges_weigh(struct star_matrix_entry *entries, size_t count)
{
    const double usual = 65536;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += entries[i].bytes;
    double unit = sum > 0 ? usual * (double)count / sum : 0;
    for (size_t i = 0; i < count; i++)
        entries[i].bytes *= unit;
}
