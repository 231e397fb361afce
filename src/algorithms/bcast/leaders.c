/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders: down a binomial tree of one rank of each node, the root and others the first, and from each of
 * them down one on its node. All is one tree, so that segments flow through both. One message between nodes
 * for each node. MagPIe: Kielmann et al., PPoPP 1999; Karonis et al., IPDPS 2000. */
#include "algorithms/parts/lanes.h"
#include "algorithms/parts/nodes.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    struct star_team team = star_whole(shape);
    if (star_lanes_of(b, shape, 1, &lanes) && star_lanes_tree(b, &lanes, &tree))
        star_tree_bcast(b, &team, &tree, star_at(STAR_RECVBUF, 0), shape->block, 1, shape->knob[0]);
}

const struct star_algorithm star_bcast_leaders = {
    .operation = STAR_BCAST,
    .name = "leaders",
    .one_way = true,
    .moves = "down a binomial tree of a rank of each node, then down one on each node",
    .optimises = "messages between nodes",
    .cost = "(lg(Q)+lg(P/Q)+s-1)(α + (n/s)β + θ), Q nodes, s segments",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_LEVEL},
    .build = build,
};
