/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders and lanes: the first ranks of each node, one or as many as the smallest node has, collect the
 * blocks of the others; each of them gathers with those in its place on other nodes; and each node's gather
 * from each other. Blocks lie in the order of lanes meanwhile, so that messages are one piece each. Leaders:
 * Kielmann et al., PPoPP 1999. Lanes, all sending to other nodes at once: Träff and Hunold, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"
#include "algorithms/parts/allgather.h"

enum { RING, RDB, CIRCULANT, SIMPLE };

static const char *const words[] = {
    [RING] = "ring", [RDB] = "rdb", [CIRCULANT] = "circulant", [SIMPLE] = "simple", NULL};

static star_allgather_part *const parts[] = {[RING] = star_team_allgather_neighbor_ring,
                                             [RDB] = star_team_allgather_rdb,
                                             [CIRCULANT] = star_team_allgather_circulant,
                                             [SIMPLE] = star_team_allgather_simple};

/* Blocks of COUNT members, the k-th of them from OFFSET[k × STEP] on, in ranks' blocks: there are no more
 * than HELD of them. */
static bool blocks_of(struct star_builder *b, struct star_place at, const int64_t *offset, int step, int held,
                      int count, int64_t block, struct star_blocks *blocks)
{
    int64_t *start = star_build_scratch(b, ((size_t)count + 1) * sizeof *start);
    if (start == NULL)
        return false;
    for (int k = 0; k <= count; k++)
        start[k] = (offset[(int64_t)(k < held ? k : held) * step] - offset[0]) * block;
    *blocks = (struct star_blocks){.at = star_plus(at, offset[0] * block),
                                   .bytes = start[count],
                                   .granule = block,
                                   .count = count,
                                   .start = start};
    return true;
}

/* This rank's block, and those of the ranks of its lane that are in none, to where they belong at AT. */
static void collect(struct star_builder *b, const struct star_shape *shape, const struct star_lanes *lanes,
                    const struct star_lane_order *order, struct star_place at)
{
    const struct star_team *own = &lanes->own;
    int64_t block = shape->block;
    if (!star_is_in_lane(lanes)) {
        star_build_send(b, own->rank[own->me % lanes->lanes], star_at(STAR_SENDBUF, 0), block);
    } else {
        star_build_copy(b, star_plus(at, order->place[shape->rank] * block), star_at(STAR_SENDBUF, 0), block);
        for (int i = own->me + lanes->lanes; i < own->size; i += lanes->lanes)
            star_build_recv(b, own->rank[i], star_plus(at, order->place[own->rank[i]] * block), block);
    }
    star_build_end(b);
}

static void share(struct star_builder *b, const struct star_shape *shape, const struct star_lanes *lanes,
                  const struct star_lane_order *order, struct star_place at)
{
    struct star_tree tree;
    struct star_blocks blocks;
    if (lanes->lanes == 1 && star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes->own.size, lanes->own.me, &tree))
        star_tree_bcast(b, &lanes->own, &tree, at, shape->size * shape->block, shape->block, 0);
    else if (lanes->lanes > 1 && blocks_of(b, at, order->offset, lanes->nodes, lanes->lanes, lanes->own.size,
                                           shape->block, &blocks))
        star_team_allgather_ring(b, &lanes->own, &blocks);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_lane_order order;
    struct star_blocks blocks;
    if (!star_lanes_of(b, shape, shape->part->leaders ? 1 : shape->size, &lanes) ||
        !star_lane_order_of(b, shape, &lanes, &order))
        return;
    int lane = lanes.own.me % lanes.lanes, nodes = lanes.nodes;
    int64_t block = shape->block;
    struct star_place at = star_at(STAR_RECVBUF, 0);
    if (!order.straight && shape->units) {
        star_build_refuse(b, "blocks of different lengths need nodes whose ranks are neighbours");
        return;
    }
    if (!order.straight)
        at = star_build_temp(b, shape->size * block);
    if (!blocks_of(b, at, order.offset + (ptrdiff_t)lane * nodes, 1, nodes, nodes, block, &blocks))
        return;
    collect(b, shape, &lanes, &order, at);
    if (star_is_in_lane(&lanes))
        parts[shape->knob[0]](b, &lanes.across, &blocks);
    share(b, shape, &lanes, &order, at);
    for (int r = 0, run; !order.straight && r < shape->size; r += run) {
        for (run = 1; r + run < shape->size && order.place[r + run] == order.place[r] + run;)
            run++;
        star_build_copy(b, star_at(STAR_RECVBUF, r * block), star_plus(at, order.place[r] * block),
                        run * block);
    }
}

#define BETWEEN                                                                                              \
    {                                                                                                        \
        .name = "between", .help = "the all-gather between nodes: ring, rdb, circulant or simple",           \
        .words = words, .most = SIMPLE, .preset = RING, .values = {2, {RING, RDB}}, .more = {                \
            2,                                                                                               \
            {CIRCULANT, SIMPLE}                                                                              \
        }                                                                                                    \
    }

#define LEADERS                                                                                              \
    .name = "leaders", .moves = "each node to its first rank, all-gather of these, each to its node",        \
    .optimises = "messages between nodes",                                                                   \
    .cost = "(P/Q+Q+lg(P/Q))α + (P+lg(P/Q)P)nβ + γ, Q nodes; between=rdb: lg(Q) for Q",                      \
    .source = "Kielmann et al. 1999 (MagPIe)", .nodes = true, .knobs = {BETWEEN, STAR_KNOB_LEVEL},           \
    .part.leaders = true, .build = build

const struct star_algorithm star_allgather_leaders = {
    .operation = STAR_ALLGATHER, .needs = STAR_SEVERAL_NODES, LEADERS};
const struct star_algorithm star_allgatherv_leaders = {
    .operation = STAR_ALLGATHERV, .needs = STAR_SEVERAL_NODES ", the ranks of each neighbours", LEADERS};

const struct star_algorithm star_allgather_lanes = {
    .operation = STAR_ALLGATHER,
    .name = "lanes",
    .moves = "all-gather between each rank of a node and those in its place on others, then on each node",
    .optimises = "bandwidth between nodes",
    .cost = "(Q+P/Q)α + (P-1)nβ + γ, Q nodes; between=rdb: lg(Q) for Q",
    .source = "Träff and Hunold 2020",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .knobs = {BETWEEN, STAR_KNOB_LEVEL},
    .build = build,
};
