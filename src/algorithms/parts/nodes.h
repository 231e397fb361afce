/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks by the nodes that they run on. */
#pragma once

#include "algorithms/parts/team.h"

int star_node_count(const struct star_shape *shape);
/* The ranks on NODE, in order; its ME is −1 for ranks of other nodes. False when out of memory. */
bool star_node_team(struct star_builder *b, const struct star_shape *shape, int node, struct star_team *team);

/* What a node's ranks send to the root, or get from it, in one message: their blocks in ranks' order. */
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
