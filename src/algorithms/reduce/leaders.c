/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders: up a binomial tree on each node, and from its last up one of the nodes, all one tree. One message
 * between nodes for each node. MagPIe: Kielmann et al., PPoPP 1999. */
#include "algorithms/parts/lanes.h"
#include "algorithms/parts/nodes.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    struct star_team team = star_whole(shape);
    if (!star_lanes_of(b, shape, 1, &lanes) || !star_lanes_tree(b, &lanes, &tree))
        return;
    struct star_place vector =
        shape->rank == shape->root ? star_at(STAR_RECVBUF, 0) : star_build_temp(b, shape->block);
    star_build_copy(b, vector, star_at(STAR_SENDBUF, 0), shape->block);
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, shape->knob[0]);
}

const struct star_algorithm star_reduce_leaders = {
    .operation = STAR_REDUCE,
    .name = "leaders",
    .one_way = true,
    .moves = "up a binomial tree on each node, then up one of a rank of each node",
    .optimises = "messages between nodes",
    .cost = "(lg(Q)+lg(P/Q)+s-1)(α + (n/s)β + θ), Q nodes, s segments",
    .source = "Kielmann et al. 1999 (MagPIe)",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_LEVEL},
    .build = build,
};
