/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapped lanes: as lanes with rings, but in pieces of the blocks: while one crosses over to the next
 * node, or switch, the piece before it is handed out on the node that it has come to, and in the beginning
 * the node's own. A ring of all ranks carries P−1 blocks over each link; over a link between nodes only those
 * of the ranks beyond it need to go, which a slow link is glad of. After Träff and Hunold: Decomposing MPI
 * Collectives for Exploiting Multi-lane Communication, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"

struct crossing {
    struct star_builder *b;
    const struct star_shape *shape;
    const struct star_lanes *lanes;
    const int *first, *rank; /* the ranks of node k by index: rank[first[k]] … */
    struct star_segments pieces;
};

/* Moves piece PIECE of the blocks of LANE's ranks on NODE. */
static void move_bundle(const struct crossing *c, star_build_move *send_or_recv, int peer, int node, int lane,
                        int64_t piece)
{
    for (int i = lane; i < c->lanes->size[node]; i += c->lanes->lanes)
        send_or_recv(
            c->b, peer,
            star_at(STAR_RECVBUF, c->rank[c->first[node] + i] * c->shape->block + piece * c->pieces.step),
            star_segment_bytes(&c->pieces, piece));
}

static int around(int k, int count)
{
    return (k % count + count) % count;
}

/* Each lane's rank sends a piece of NODE's blocks to all others of the own node. */
static void hand_out(const struct crossing *c, int node, int64_t piece)
{
    const struct star_team *own = &c->lanes->own;
    for (int i = 1; i < own->size; i++) {
        int to = around(own->me + i, own->size), from = around(own->me - i, own->size);
        if (from < c->lanes->lanes)
            move_bundle(c, star_build_recv, own->rank[from], node, from, piece);
        if (own->me < c->lanes->lanes)
            move_bundle(c, star_build_send, own->rank[to], node, own->me, piece);
    }
}

/* A piece of NODE's blocks crosses over to the next node, and one of the node before it comes. */
static void cross(const struct crossing *c, int node, int64_t piece)
{
    const struct star_team *across = &c->lanes->across;
    int lane = c->lanes->own.me, nodes = across->size;
    if (!star_is_in_lane(c->lanes))
        return;
    move_bundle(c, star_build_recv, across->rank[around(across->me - 1, nodes)], around(node - 1, nodes),
                lane, piece);
    move_bundle(c, star_build_send, across->rank[around(across->me + 1, nodes)], node, lane, piece);
}

/* The blocks of ranks that are in no lane go to one that is. */
static void collect(const struct crossing *c)
{
    const struct star_lanes *lanes = c->lanes;
    const struct star_team *own = &lanes->own;
    int64_t block = c->shape->block;
    star_build_copy(c->b, star_at(STAR_RECVBUF, c->shape->rank * block), star_at(STAR_SENDBUF, 0), block);
    if (!star_is_in_lane(lanes))
        star_build_send(c->b, own->rank[own->me % lanes->lanes],
                        star_at(STAR_RECVBUF, c->shape->rank * block), block);
    else
        for (int i = own->me + lanes->lanes; i < own->size; i += lanes->lanes)
            star_build_recv(c->b, own->rank[i], star_at(STAR_RECVBUF, own->rank[i] * block), block);
    star_build_end(c->b);
}

/* The ranks by node and index. */
static bool sort(struct crossing *c)
{
    const struct star_lanes *lanes = c->lanes;
    int *first = star_build_scratch(c->b, (size_t)(lanes->nodes + 1) * sizeof *first),
        *rank = star_build_scratch(c->b, (size_t)c->shape->size * sizeof *rank);
    if (first == NULL || rank == NULL)
        return false;
    for (int k = 0; k < lanes->nodes; k++)
        first[k + 1] = first[k] + lanes->size[k];
    for (int r = 0; r < c->shape->size; r++)
        rank[first[lanes->node[r]] + lanes->index[r]] = r;
    c->first = first;
    c->rank = rank;
    return true;
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    int64_t segment = shape->units ? 0 : shape->knob[0]; /* blocks whose lengths nobody knows are not cut */
    struct crossing c = {
        .b = b, .shape = shape, .lanes = &lanes, .pieces = star_segments_of(shape->block, 1, segment)};
    if (!star_lanes_of(b, shape, shape->size, &lanes) || !sort(&c))
        return;
    collect(&c);
    int64_t pieces = c.pieces.count, crossings = (lanes.nodes - 1) * pieces;
    for (int64_t t = 0; t <= crossings; t++) {
        if (t < crossings)
            cross(&c, around(lanes.across.me - (int)(t / pieces), lanes.nodes), t % pieces);
        if (t < pieces)
            hand_out(&c, lanes.across.me, t);
        if (t > 0)
            hand_out(&c, around(lanes.across.me - 1 - (int)((t - 1) / pieces), lanes.nodes),
                     (t - 1) % pieces);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "overlapped_lanes",                                                                              \
    .moves = "a piece of a node's blocks is handed out on another, while the next one crosses over to it",   \
    .optimises = "bandwidth between nodes", .cost = "(2P/Q+Q)α for each piece + Pnβ, P/Q ranks on Q nodes",  \
    .source = "after Träff and Hunold 2020", .needs = STAR_SEVERAL_NODES, .nodes = true, .forwards = true

const struct star_algorithm star_allgather_overlapped_lanes = {
    .operation = STAR_ALLGATHER,
    .least_bytes = 2048,
    .knobs = {STAR_KNOB_SEGMENT_OF("none, or bytes such as 4K of the pieces of a block", 2, 2, 0, 4096),
              STAR_KNOB_LIGHT_SYNC, STAR_KNOB_LEVEL},
    .build = build,
    ROW};
const struct star_algorithm star_allgatherv_overlapped_lanes = {
    .operation = STAR_ALLGATHERV, .knobs = {STAR_KNOB_LIGHT_SYNC, STAR_KNOB_LEVEL}, .build = build, ROW};
