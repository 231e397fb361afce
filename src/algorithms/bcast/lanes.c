/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes: the root gives each rank of its node a part, which goes down a binomial tree between nodes, and the
 * ranks of each node gather the parts. All ranks of a node send to other nodes at once. Where nodes differ,
 * as many have a part as the smallest node has ranks. Träff and Hunold: Decomposing MPI Collectives for
 * Exploiting Multi-lane Communication, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"
#include "algorithms/parts/allgather.h"
#include "algorithms/parts/gather.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_blocks blocks;
    struct star_tree tree;
    if (!star_lanes_of(b, shape, shape->size, &lanes) ||
        !star_lane_blocks(b, &lanes, star_at(STAR_RECVBUF, 0), shape->block, 1, &blocks) ||
        !star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes.nodes, lanes.across.me, &tree))
        return;
    int me = lanes.own.me;
    int64_t own = star_block_bytes(&blocks, me, me + 1);
    if (lanes.across.me == 0)
        star_team_scatter(b, &lanes.own, &blocks, 2);
    if (star_is_in_lane(&lanes))
        star_tree_bcast(b, &lanes.across, &tree, star_block(&blocks, me), own, 1, shape->knob[0]);
    if (shape->rank == shape->root) { /* its vector is only read: what comes to it is of no use */
        struct star_place part = star_block(&blocks, me);
        blocks.at = star_build_temp(b, blocks.bytes);
        star_build_copy(b, star_block(&blocks, me), part, own);
    }
    star_team_allgather_ring(b, &lanes.own, &blocks);
}

const struct star_algorithm star_bcast_lanes = {
    .operation = STAR_BCAST,
    .name = "lanes",
    .moves = "scatter on the root's node, each part down a tree between nodes, all-gather on each node",
    .optimises = "bandwidth between nodes",
    .cost = "(2lg(P/Q)+lg(Q)+s-1)α + (2+lg(Q)Q/P)nβ, Q nodes, s segments",
    .source = "Träff and Hunold 2020",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .least_bytes = 2048,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_LEVEL},
    .build = build,
};
