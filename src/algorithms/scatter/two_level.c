/* SPDX-License-Identifier: BSD-3-Clause
 * Two levels: the root sends what a node's ranks need to the node's first rank in one message, which hands it
 * out; to those of its own node it sends itself. Two rounds, and one message between nodes for each node.
 * Where a node's ranks are neighbours the message comes straight from their blocks. MagPIe: Kielmann et al.,
 * PPoPP 1999. */
#include "algorithms/parts/nodes.h"

static void build_root(struct star_builder *b, const struct star_shape *shape, const struct star_team *own)
{
    int64_t block = shape->block;
    int count;
    struct star_place blocks = star_at(STAR_SENDBUF, 0);
    struct star_parcel *parcels = star_node_parcels(b, shape, blocks, &count);
    if (parcels == NULL)
        return;
    for (struct star_parcel *p = parcels; p < parcels + count; p++) {
        for (int i = 0; !p->straight && i < p->team.size; i++)
            star_build_copy(b, star_plus(p->place, i * block), star_plus(blocks, p->team.rank[i] * block),
                            block);
        star_build_send(b, p->leader, p->place, p->team.size * block);
    }
    for (int i = 0; i < own->size; i++)
        if (i != own->me)
            star_build_send(b, own->rank[i], star_plus(blocks, own->rank[i] * block), block);
    star_build_copy(b, star_at(STAR_RECVBUF, 0), star_plus(blocks, shape->root * block), block);
}

static void build_leader(struct star_builder *b, const struct star_shape *shape, const struct star_team *own)
{
    int64_t block = shape->block;
    struct star_place all = star_build_temp(b, own->size * block);
    star_build_recv(b, shape->root, all, own->size * block);
    star_build_end(b);
    for (int i = 1; i < own->size; i++)
        star_build_send(b, own->rank[i], star_plus(all, i * block), block);
    star_build_copy(b, star_at(STAR_RECVBUF, 0), all, block);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int node = shape->node[shape->rank];
    struct star_team own;
    if (!star_node_team(b, shape, node, &own))
        return;
    bool with_root = node == shape->node[shape->root];
    if (shape->rank == shape->root)
        build_root(b, shape, &own);
    else if (own.me == 0 && !with_root)
        build_leader(b, shape, &own);
    else
        star_build_recv(b, with_root ? shape->root : own.rank[0], star_at(STAR_RECVBUF, 0), shape->block);
}

const struct star_algorithm star_scatter_two_level = {
    .operation = STAR_SCATTER,
    .name = "two_level",
    .one_way = true,
    .moves = "one message a node from the root to its first rank, then to the others of the node",
    .optimises = "messages between nodes",
    .cost = "(Q + P/Q)α + (P-1)nβ + θ + γ, Q nodes",
    .source = "Kielmann et al. 1999 (MagPIe)",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .knobs = {STAR_KNOB_LEVEL},
    .build = build,
};
