/* SPDX-License-Identifier: BSD-3-Clause
 * Ring: reduce-scatter, then all-gather, each in P−1 rounds along the ring of all ranks. Fewest bytes, all of
 * them between neighbours: for long vectors. In segments, a block is reduced while the rest of it arrives.
 * Patarasuk and Yuan, JPDC 69(2), 2009. */
#include "algorithms/allreduce/stages.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_blocks from = star_vector_blocks(shape, star_at(STAR_SENDBUF, 0), team.size);
    struct star_blocks to = star_vector_blocks(shape, star_at(STAR_RECVBUF, 0), team.size);
    star_reduce_scatter_ring_segments(b, &team, &from, star_block(&to, team.me), shape->knob[0]);
    star_team_allgather_neighbor_ring(b, &team, &to);
}

const struct star_algorithm star_allreduce_ring = {
    .operation = STAR_ALLREDUCE,
    .name = "ring",
    .moves = "sums of blocks round the ring, then the results",
    .optimises = "link contention",
    .cost = "2(P-1)(α + (n/P)β) + (2P-3)θ",
    .source = "Patarasuk and Yuan 2009",
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .build = build,
};
