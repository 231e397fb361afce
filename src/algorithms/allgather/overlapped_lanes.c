/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapped lanes: as lanes with rings, but while a node's blocks go round another node, the next ones cross
 * over to it in as many pieces. A ring of all ranks carries P−1 blocks over each link; over a link between
 * nodes, or switches, only those of the ranks beyond it need to go, which a slow link is glad of. Ranks
 * that are not in step hinder each other, and with sync=light they get into it. After Träff
 * and Hunold: Decomposing MPI Collectives for Exploiting Multi-lane Communication, CLUSTER 2020. */
#include "algorithms/parts/nodes.h"

typedef void move(struct star_builder *b, int peer, struct star_place place, int64_t length);

struct crossing {
    struct star_builder *b;
    const struct star_shape *shape;
    const struct star_lanes *lanes;
    const int *first, *rank; /* the ranks of node k by index: rank[first[k]] … */
    int rounds;              /* in which a node's blocks go round, and the next ones cross */
};

/* Moves part PART of PARTS of the blocks of LANE's ranks on NODE. */
static void move_bundle(const struct crossing *c, move *send_or_recv, int peer, int node, int lane, int part,
                        int parts)
{
    int64_t block = c->shape->block, begin = block * part / parts, end = block * (part + 1) / parts;
    for (int i = lane; i < c->lanes->size[node]; i += c->lanes->lanes) {
        int64_t rank = c->rank[c->first[node] + i];
        if (end > begin)
            send_or_recv(c->b, peer, star_at(STAR_RECVBUF, rank * block + begin), end - begin);
    }
}

static int around(int k, int count)
{
    return (k % count + count) % count;
}

/* Round ROUND of NODE's blocks going round the own node. */
static void go_round(const struct crossing *c, int node, int round)
{
    const struct star_team *own = &c->lanes->own;
    int there = around(own->me - 1 - round, own->size), here = around(own->me - round, own->size);
    if (round >= own->size - 1)
        return;
    if (there < c->lanes->lanes)
        move_bundle(c, star_build_recv, own->rank[around(own->me - 1, own->size)], node, there, 0, 1);
    if (here < c->lanes->lanes)
        move_bundle(c, star_build_send, own->rank[around(own->me + 1, own->size)], node, here, 0, 1);
}

/* The blocks that go round here cross over to the next node, and those of the node before them come. */
static void cross(const struct crossing *c, int node, int round)
{
    const struct star_team *across = &c->lanes->across;
    int lane = c->lanes->own.me, nodes = across->size;
    move_bundle(c, star_build_recv, across->rank[around(across->me - 1, nodes)], around(node - 1, nodes),
                lane, round, c->rounds);
    move_bundle(c, star_build_send, across->rank[around(across->me + 1, nodes)], node, lane, round,
                c->rounds);
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
    c->rounds = 1;
    for (int k = 0; k < lanes->nodes; k++) {
        first[k + 1] = first[k] + lanes->size[k];
        if (lanes->size[k] - 1 > c->rounds)
            c->rounds = lanes->size[k] - 1;
    }
    for (int r = 0; r < c->shape->size; r++)
        rank[first[lanes->node[r]] + lanes->index[r]] = r;
    c->first = first;
    c->rank = rank;
    return true;
}

static void build(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    struct star_lanes lanes;
    struct crossing c = {.b = b, .shape = shape, .lanes = &lanes};
    (void)knob;
    if (!star_lanes_of(b, shape, shape->size, &lanes) || !sort(&c))
        return;
    collect(&c);
    for (int set = 0; set < lanes.nodes; set++)
        for (int round = 0; round < c.rounds; round++) {
            int node = around(lanes.across.me - set, lanes.nodes);
            go_round(&c, node, round);
            if (set + 1 < lanes.nodes && star_is_in_lane(&lanes))
                cross(&c, node, round);
            star_build_end(b);
        }
}

#define ROW                                                                                                  \
    .name = "overlapped_lanes",                                                                              \
    .moves = "a node's blocks go round each other node, while the next ones cross over to it",               \
    .optimises = "bandwidth between nodes", .cost = "P(α + nβ) + (P-1)θ; sync: δl or δh for θ",              \
    .source = "after Träff and Hunold 2020", .needs = STAR_SEVERAL_NODES, .nodes = true, .forwards = true,   \
    .build = build

const struct star_algorithm star_allgather_overlapped_lanes = {
    .operation = STAR_ALLGATHER, .least_bytes = 2048, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_LEVEL}, ROW};
const struct star_algorithm star_allgatherv_overlapped_lanes = {
    .operation = STAR_ALLGATHERV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_LEVEL}, ROW};
