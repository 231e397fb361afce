/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders and lanes: the first ranks of each node, one or as many as the smallest node has, take from all
 * ranks of their node the blocks for their place on any node, exchange them with those in that place, one
 * message for each node, and hand out what belongs to others. Leaders need memory for all blocks of a node,
 * lanes of about one rank. Leaders: Kielmann et al., PPoPP 1999. Lanes, which all send to other nodes at
 * once: Träff and Hunold, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"

/* What all stages deal with. Blocks are counted, not bytes. */
struct exchange {
    struct star_builder *b;
    const struct star_shape *shape;
    struct star_lanes lanes;
    struct star_lane_order order;
    const int64_t *offset; /* of the own lane: where its ranks on each node begin among it, and the end */
    int64_t *before;       /* ranks on the nodes before each */
    int64_t lane, here;    /* ranks of the own lane, and those of them on the own node */
};

static bool find(struct exchange *x)
{
    if (!star_lane_order_of(x->b, x->shape, &x->lanes, &x->order))
        return false;
    const struct star_lanes *lanes = &x->lanes;
    int on = lanes->across.me;
    x->before = star_build_scratch(x->b, ((size_t)lanes->nodes + 1) * sizeof *x->before);
    if (x->before == NULL)
        return false;
    for (int k = 0; k < lanes->nodes; k++)
        x->before[k + 1] = x->before[k] + lanes->size[k];
    x->offset = x->order.offset + (ptrdiff_t)(lanes->own.me % lanes->lanes) * lanes->nodes;
    x->lane = x->offset[lanes->nodes] - x->offset[0];
    x->here = x->offset[on + 1] - x->offset[on];
    return true;
}

static struct star_place at(const struct exchange *x, struct star_place place, int64_t blocks)
{
    return star_plus(place, blocks * x->shape->block);
}

/* To each lane's rank on the node the blocks for the lane. There they lie sender by sender. */
static struct star_place bring(const struct exchange *x)
{
    const struct star_team *own = &x->lanes.own;
    int64_t block = x->shape->block;
    int nodes = x->lanes.nodes;
    bool works = star_is_in_lane(&x->lanes);
    struct star_place out = star_at(STAR_SENDBUF, 0),
                      in = star_build_temp(x->b, works ? own->size * x->lane * block : 0);
    if (!x->order.straight) {
        out = star_build_temp(x->b, x->shape->size * block);
        for (int r = 0; r < x->shape->size; r++)
            star_build_copy(x->b, at(x, out, x->order.place[r]), star_at(STAR_SENDBUF, r * block), block);
    }
    for (int l = 0; l < x->lanes.lanes; l++) {
        int64_t first = x->order.offset[(int64_t)l * nodes],
                count = x->order.offset[(int64_t)(l + 1) * nodes] - first;
        if (l == own->me)
            star_build_copy(x->b, at(x, in, l * count), at(x, out, first), count * block);
        else
            star_build_send(x->b, own->rank[l], at(x, out, first), count * block);
    }
    for (int i = 0; works && i < own->size; i++)
        if (i != own->me)
            star_build_recv(x->b, own->rank[i], at(x, in, i * x->lane), x->lane * block);
    star_build_end(x->b);
    return in;
}

/* Between nodes, receiver by receiver. What comes in lies node by node, then receiver by receiver. */
static struct star_place exchange_lanes(const struct exchange *x, struct star_place in)
{
    const struct star_team *across = &x->lanes.across;
    int64_t block = x->shape->block, senders = x->lanes.own.size;
    struct star_place out = star_build_temp(x->b, senders * x->lane * block),
                      came = star_build_temp(x->b, x->here * x->shape->size * block);
    for (int64_t d = 0; d < x->lane; d++)
        star_build_strided_copy(x->b, at(x, out, d * senders), block, at(x, in, d), x->lane * block, block,
                                senders);
    for (int i = 0; i < across->size; i++) {
        int node = (across->me + i) % across->size;
        int64_t first = x->offset[node] - x->offset[0], count = x->offset[node + 1] - x->offset[node];
        struct star_place to = at(x, came, x->here * x->before[node]);
        if (i == 0) {
            star_build_copy(x->b, to, at(x, out, first * senders), count * senders * block);
            continue;
        }
        star_build_recv(x->b, across->rank[node], to, x->here * x->lanes.size[node] * block);
        star_build_send(x->b, across->rank[node], at(x, out, first * senders), count * senders * block);
    }
    star_build_end(x->b);
    return came;
}

/* To the ranks of the lane on the node, of which this is the first, their blocks in the order of ranks. */
static void hand_out(const struct exchange *x, struct star_place came)
{
    const struct star_team *own = &x->lanes.own;
    int ranks = x->shape->size;
    int64_t block = x->shape->block;
    struct star_place out = star_build_temp(x->b, (x->here - 1) * ranks * block);
    for (int r = 0; r < ranks; r++) {
        int node = x->lanes.node[r];
        int64_t senders = x->lanes.size[node];
        struct star_place first = at(x, came, x->here * x->before[node] + x->lanes.index[r]);
        star_build_copy(x->b, star_at(STAR_RECVBUF, r * block), first, block);
        star_build_strided_copy(x->b, at(x, out, r), ranks * block, at(x, first, senders), senders * block,
                                block, x->here - 1);
    }
    for (int64_t d = 1; d < x->here; d++)
        star_build_send(x->b, own->rank[own->me + d * x->lanes.lanes], at(x, out, (d - 1) * ranks),
                        ranks * block);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct exchange x = {.b = b, .shape = shape};
    if (!star_lanes_of(b, shape, shape->part->leaders ? 1 : shape->size, &x.lanes) || !find(&x))
        return;
    const struct star_team *own = &x.lanes.own;
    struct star_place in = bring(&x);
    if (star_is_in_lane(&x.lanes))
        hand_out(&x, exchange_lanes(&x, in));
    else
        star_build_recv(b, own->rank[own->me % x.lanes.lanes], star_at(STAR_RECVBUF, 0),
                        shape->size * shape->block);
}

const struct star_algorithm star_alltoall_leaders = {
    .operation = STAR_ALLTOALL,
    .name = "leaders",
    .moves = "each node to its first rank, one message for each pair of nodes, each to its node",
    .optimises = "messages between nodes",
    .cost = "(2P/Q+Q)α + (2P+P/Q)P/Q nβ + γ, Q nodes",
    .source = "Kielmann et al. 1999 (MagPIe)",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .most_bytes = 8192,
    .knobs = {STAR_KNOB_LEVEL},
    .part.leaders = true,
    .build = build,
};

const struct star_algorithm star_alltoall_lanes = {
    .operation = STAR_ALLTOALL,
    .name = "lanes",
    .moves = "on each node by place, then between those in one place on all nodes",
    .optimises = "messages between nodes",
    .cost = "(P/Q+Q)α + 2Pnβ + 3γ, Q nodes",
    .source = "Träff and Hunold 2020",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .knobs = {STAR_KNOB_LEVEL},
    .build = build,
};
