/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks by the nodes that they run on. */
#ifndef STAR_ALGORITHMS_NODES_H
#define STAR_ALGORITHMS_NODES_H

#include "algorithms/parts/parts.h"

int star_node_count(const struct star_shape *shape);
/* The ranks on NODE, in order; its ME is −1 for ranks of other nodes. False when out of memory. */
bool star_node_team(struct star_builder *b, const struct star_shape *shape, int node, struct star_team *team);

/* What a node's ranks send to the root, or get from it, in one message: their blocks in the order of ranks.
 */
struct star_parcel {
    struct star_team team;
    int leader;              /* the rank that sends or gets the message: the first of the node */
    bool straight;           /* the ranks are neighbours, so the message fits where the blocks lie */
    struct star_place place; /* at the root */
};
/* The parcels of all nodes but the root's, at the root: straight into BLOCKS, or in the temporary. NULL when
 * out of memory. *COUNT is set. */
struct star_parcel *star_node_parcels(struct star_builder *b, const struct star_shape *shape,
                                      struct star_place blocks, int *count);

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

#endif
