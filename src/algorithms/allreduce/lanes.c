/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes: reduce-scatter on each node, all-reduce of each part between nodes, all-gather on each node. All
 * ranks of a node send to other nodes at once, each its part. Where nodes differ, as many have a part as the
 * smallest node has ranks. Träff and Hunold: Decomposing MPI Collectives for Exploiting Multi-lane
 * Communication, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"
#include "algorithms/allreduce/between.h"

static const char *const words[] = {STAR_BETWEEN_ALLREDUCE_WORDS, NULL};

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_blocks in, out;
    if (!star_lanes_of(b, shape, shape->size, &lanes) ||
        !star_lane_blocks(b, &lanes, star_at(STAR_SENDBUF, 0), shape->block, shape->granule, &in))
        return;
    int me = lanes.own.me;
    out = in;
    out.at = star_at(STAR_RECVBUF, 0);
    star_team_reduce_scatter_halving(b, &lanes.own, &in, star_block(&out, me));
    struct star_blocks part = {
        .at = star_block(&out, me), .bytes = star_block_bytes(&out, me, me + 1), .granule = shape->granule};
    if (star_is_in_lane(&lanes))
        star_allreduce_between(b, &lanes.across, part, shape->knob[0]);
    star_team_allgather_ring(b, &lanes.own, &out);
}

const struct star_algorithm star_allreduce_lanes = {
    .operation = STAR_ALLREDUCE,
    .name = "lanes",
    .moves = "reduce-scatter on each node, all-reduce of each part between nodes, all-gather",
    .optimises = "bandwidth between nodes",
    .cost = "(lg(P/Q)+P/Q+2lg(Q))α + 2(P-1)(n/P)β, Q nodes",
    .source = "Träff and Hunold 2020",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .order = STAR_ORDER_FIXED,
    .least_bytes = 512,
    .knobs = {{.name = "between",
               .help = "the all-reduces between nodes: rdb, ring or circulant",
               .words = words,
               .most = STAR_BETWEEN_CIRCULANT,
               .preset = STAR_BETWEEN_RDB,
               .values = {2, {STAR_BETWEEN_RDB, STAR_BETWEEN_RING}},
               .more = {1, {STAR_BETWEEN_CIRCULANT}}},
              STAR_KNOB_LEVEL},
    .build = build,
};
