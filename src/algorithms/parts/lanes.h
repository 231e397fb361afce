/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes between nodes. */
#pragma once

#include "algorithms/parts/tree.h"

/* Lanes: the first LANES ranks of each node work between nodes, lane l those with index l. The root, where
 * there is one, has index 0 on node 0; other indices are in the order of ranks. */
struct star_lanes {
    int nodes, lanes;
    const int *node, *index; /* of each rank */
    const int *size;         /* ranks of each node */
    struct star_team own;    /* the ranks of the own node, by index */
    struct star_team
        across; /* the ranks of the own lane, by node; for index i ≥ LANES, of lane i mod LANES */
};
/* As many lanes as ranks on the smallest node, MOST at most. False when out of memory. */
bool star_lanes_of(struct star_builder *b, const struct star_shape *shape, int most,
                   struct star_lanes *lanes);
static inline bool star_is_in_lane(const struct star_lanes *lanes)
{
    return lanes->own.me < lanes->lanes;
}
/* A vector in a block for each rank of the own node: one for each lane, and others of nothing. */
bool star_lane_blocks(struct star_builder *b, const struct star_lanes *lanes, struct star_place at,
                      int64_t bytes, int64_t granule, struct star_blocks *blocks);

/* The ranks by lane, then node, then index: rank i of a node belongs to lane i mod LANES. */
struct star_lane_order {
    const int *place;      /* of each rank */
    const int64_t *offset; /* where lane l's ranks on node k begin: [l × NODES + k]; and the end */
    bool straight;         /* it is the order of ranks */
};
bool star_lane_order_of(struct star_builder *b, const struct star_shape *shape,
                        const struct star_lanes *lanes, struct star_lane_order *order);

/* A tree of all ranks from rank ROOT of LANES on: binomial between the first ranks of nodes, and on each.
 * Those on the node come first among the children, and so last in a broadcast. False when out of memory. */
bool star_lanes_tree(struct star_builder *b, const struct star_lanes *lanes, struct star_tree *tree);
