/* SPDX-License-Identifier: BSD-3-Clause
 * Two levels: the first rank of each node collects what the node's ranks have and sends it to the root in one
 * message, or gets from it what they need in one and hands it out; those of the root's own node have to do
 * with the root itself. Two rounds, and one message between nodes for each node. Where a node's ranks are
 * neighbours the message goes straight between its places and the root's blocks. MagPIe: Kielmann et al.,
 * PPoPP 1999. */
#include "algorithms/parts/nodes.h"
#include "algorithms/parts/rooted.h"

/* Between the root's blocks and where a parcel lies that is not among them. */
static void copy_parcel(struct star_builder *b, const struct star_rooted *r, const struct star_parcel *p,
                        int64_t block)
{
    for (int i = 0; !p->straight && i < p->team.size; i++)
        star_rooted_copy(b, r, star_plus(r->blocks, p->team.rank[i] * block), star_plus(p->place, i * block),
                         block);
}

static void build_root(struct star_builder *b, const struct star_shape *shape, const struct star_rooted *r,
                       const struct star_team *own)
{
    int64_t block = shape->block;
    int count;
    struct star_parcel *parcels = star_node_parcels(b, shape, r->blocks, &count);
    if (parcels == NULL)
        return;
    for (struct star_parcel *p = parcels; p < parcels + count; p++) {
        if (!r->gathers)
            copy_parcel(b, r, p, block);
        r->down(b, p->leader, p->place, p->team.size * block);
    }
    for (int i = 0; i < own->size; i++)
        if (i != own->me)
            r->down(b, own->rank[i], star_plus(r->blocks, own->rank[i] * block), block);
    star_rooted_copy(b, r, star_plus(r->blocks, shape->root * block), r->own, block);
    if (!r->gathers)
        return;
    star_build_end(b);
    for (struct star_parcel *p = parcels; p < parcels + count; p++)
        copy_parcel(b, r, p, block);
}

static void build_leader(struct star_builder *b, const struct star_shape *shape, const struct star_rooted *r,
                         const struct star_team *own)
{
    int64_t block = shape->block;
    struct star_place all = star_build_temp(b, own->size * block);
    if (!r->gathers) {
        r->up(b, shape->root, all, own->size * block);
        star_build_end(b);
    }
    for (int i = 1; i < own->size; i++)
        r->down(b, own->rank[i], star_plus(all, i * block), block);
    star_rooted_copy(b, r, all, r->own, block);
    if (r->gathers) {
        star_build_end(b);
        r->up(b, shape->root, all, own->size * block);
    }
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_rooted r = star_rooted_of(shape);
    int node = shape->node[shape->rank];
    struct star_team own;
    if (!star_node_team(b, shape, node, &own))
        return;
    bool with_root = node == shape->node[shape->root];
    if (shape->rank == shape->root)
        build_root(b, shape, &r, &own);
    else if (own.me == 0 && !with_root)
        build_leader(b, shape, &r, &own);
    else
        r.up(b, with_root ? shape->root : own.rank[0], r.own, shape->block);
}

#define ROW                                                                                                  \
    .name = "two_level", .one_way = true, .optimises = "messages between nodes",                             \
    .cost = "(Q + P/Q)α + (P-1)nβ + θ + γ, Q nodes", .source = "Kielmann et al. 1999 (MagPIe)",              \
    .needs = STAR_SEVERAL_NODES, .nodes = true, .knobs = {STAR_KNOB_LEVEL}, .build = build
const struct star_algorithm star_gather_two_level = {
    .operation = STAR_GATHER,
    .moves = "each node to its first rank, then one message a node to the root",
    .part.gathers = true,
    ROW};
const struct star_algorithm star_scatter_two_level = {
    .operation = STAR_SCATTER,
    .moves = "one message a node from the root to its first rank, then to the others of the node",
    ROW};
