/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduces between nodes: what leaders and lanes choose from. */
#pragma once

#include "algorithms/parts/allgather.h"
#include "algorithms/parts/reduce_scatter.h"

enum { STAR_BETWEEN_RDB, STAR_BETWEEN_RING, STAR_BETWEEN_CIRCULANT, STAR_BETWEEN_ALLREDUCES };

#define STAR_BETWEEN_ALLREDUCE_WORDS                                                                         \
    [STAR_BETWEEN_RDB] = "rdb", [STAR_BETWEEN_RING] = "ring", [STAR_BETWEEN_CIRCULANT] = "circulant"

/* The team's VECTOR becomes the sum of all its members': reduce-scatter, then all-gather. */
static inline void star_allreduce_between(struct star_builder *b, const struct star_team *team,
                                          struct star_blocks vector, int64_t which)
{
    static const struct {
        star_reduce_scatter_part *reduce_scatter;
        star_allgather_part *allgather;
    } stages[] = {
        [STAR_BETWEEN_RDB] = {star_team_reduce_scatter_halving, star_team_allgather_rdb},
        [STAR_BETWEEN_RING] = {star_team_reduce_scatter_ring, star_team_allgather_neighbor_ring},
        [STAR_BETWEEN_CIRCULANT] = {star_team_reduce_scatter_circulant, star_team_allgather_circulant},
    };
    vector.count = team->size;
    stages[which].reduce_scatter(b, team, &vector, star_block(&vector, team->me));
    stages[which].allgather(b, team, &vector);
}
