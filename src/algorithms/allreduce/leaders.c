/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders: up a binomial tree on each node, an all-reduce of one rank of each node, and down again. Where it
 * is a tree as well, segments flow through all of it. Kielmann et al., PPoPP 1999. */
#include "algorithms/allreduce/between.h"
#include "algorithms/parts/lanes.h"

enum { TREE = STAR_BETWEEN_ALLREDUCES };

static const char *const words[] = {STAR_BETWEEN_ALLREDUCE_WORDS, [TREE] = "tree", NULL};

static void build_tree(struct star_builder *b, const struct star_shape *shape, const struct star_lanes *lanes,
                       int64_t segment)
{
    struct star_tree tree;
    struct star_team team = star_whole(shape);
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (!star_lanes_tree(b, lanes, &tree))
        return;
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, segment);
    star_tree_bcast(b, &team, &tree, vector, shape->block, shape->granule, segment);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    struct star_blocks vector = {
        .at = star_at(STAR_RECVBUF, 0), .bytes = shape->block, .granule = shape->granule};
    if (!star_lanes_of(b, shape, 1, &lanes))
        return;
    star_build_copy(b, vector.at, star_at(STAR_SENDBUF, 0), shape->block);
    if (shape->knob[0] == TREE) {
        build_tree(b, shape, &lanes, shape->knob[1]);
        return;
    }
    if (!star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes.own.size, lanes.own.me, &tree))
        return;
    star_tree_reduce(b, &lanes.own, &tree, vector.at, shape->block, shape->granule, shape->knob[1]);
    if (star_is_in_lane(&lanes))
        star_allreduce_between(b, &lanes.across, vector, shape->knob[0]);
    star_tree_bcast(b, &lanes.own, &tree, vector.at, shape->block, shape->granule, shape->knob[1]);
}

const struct star_algorithm star_allreduce_leaders = {
    .operation = STAR_ALLREDUCE,
    .name = "leaders",
    .moves = "up a tree on each node, all-reduce of a rank of each node, down again",
    .optimises = "messages between nodes",
    .cost = "2(lg(P/Q)+lg(Q))α + 2(lg(P/Q)+(Q-1)/Q)nβ, Q nodes",
    .source = "Kielmann et al. 1999 (MagPIe)",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {{.name = "between",
               .help = "the all-reduce between nodes: rdb, ring, circulant or tree",
               .words = words,
               .most = TREE,
               .preset = STAR_BETWEEN_RDB,
               .values = {3, {STAR_BETWEEN_RDB, STAR_BETWEEN_RING, TREE}},
               .more = {1, {STAR_BETWEEN_CIRCULANT}}},
              STAR_KNOB_SEGMENT_OF("on the trees: none, or bytes such as 8K", 16, 2, 0, 32768),
              STAR_KNOB_LEVEL},
    .build = build,
};
