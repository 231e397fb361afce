/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbour ring: P−1 rounds; every rank sends to the next one what it got in the round before from the
 * previous one, so that data goes over the same P links only. Faraj, Patarasuk, Yuan: Bandwidth Efficient
 * All-to-all Broadcast on Switched Clusters, 2005, is about orders of the ranks; this is the order 0, 1, …
 * A block that came in one round leaves in the next, so there is no window. */
#include "algorithms/allgather/whole.h"

static void build(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    star_allgather_by(star_team_allgather_neighbor_ring, b, shape, 0);
}

#define ROW                                                                                                  \
    .name = "neighbor_ring", .moves = "round i: to the next rank what came from the previous one",           \
    .optimises = "link contention", .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ",                  \
    .source = "STAR-MPI 3.1 (logical ring)", .knobs = {STAR_KNOB_SYNC}, .build = build
const struct star_algorithm star_allgather_neighbor_ring = {.operation = STAR_ALLGATHER, ROW};
const struct star_algorithm star_allgatherv_neighbor_ring = {.operation = STAR_ALLGATHERV, ROW};
