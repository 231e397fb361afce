/* SPDX-License-Identifier: BSD-3-Clause
 * Trees over the levels of a node (packages, NUMA nodes, L3 caches): what lies in one rank's area crosses
 * from one group to another once, to the group's leader, from which the others fetch it. HierKNEM: Ma et al.,
 * 2012; XHC: Katevenis et al., 2022. */
#include "algorithms/parts/levels.h"
#include "algorithms/shared/shared.h"

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    if (star_levels_tree(b, shape, shape->knob[0], &tree))
        star_pass_down(b, &tree, shape->block, shape->knob[1]);
}

/* Reduces what this rank has at INPUT and those below it at ZONE of their areas. Returns where it is: in
 * VECTOR, if there are any. */
static struct star_place collect(struct star_builder *b, const struct star_tree *tree,
                                 struct star_place vector, struct star_place input, int64_t zone,
                                 int64_t bytes, int64_t count)
{
    if (tree->children == 0)
        return input;
    star_build_copy(b, vector, input, bytes);
    for (int c = 0; c < tree->children; c++) {
        star_build_await(b, tree->child[c], count);
        star_build_pull_reduce(b, vector, tree->child[c], zone, bytes);
    }
    return vector;
}

/* Receive buffers but the root's are none. */
static void build_reduce(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    struct star_pieces pieces = star_pieces_of(b, shape->block, shape->granule, shape->knob[1], 1);
    if (!star_levels_tree(b, shape, shape->knob[0], &tree))
        return;
    bool leads = tree.parent < 0, inner = !leads && tree.children > 0;
    struct star_place room = star_build_temp(b, inner ? pieces.of.step : 0);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        int64_t at = p * pieces.of.step, bytes = star_segment_bytes(&pieces.of, p);
        struct star_place zone = star_zone(&pieces, p), vector = leads ? star_at(STAR_RECVBUF, at) : room;
        vector = collect(b, &tree, vector, star_at(STAR_SENDBUF, at), zone.offset, bytes, p + 1);
        if (!leads && p >= 2)
            star_build_await(b, tree.parent, p - 1);
        if (!leads)
            star_build_copy(b, zone, vector, bytes);
        if (!leads || star_comes_again(&pieces, p))
            star_build_post(b, p + 1);
        star_build_end(b);
    }
}

/* A rank overwrites what it has shown when its parent shows the result: then that has read it. */
static void up_and_down(struct star_builder *b, const struct star_shape *shape, int64_t bytes)
{
    struct star_tree tree;
    struct star_place result = star_at(STAR_RECVBUF, 0), shown = star_at(STAR_SHARED, 0);
    star_build_share(b, bytes > 0 ? bytes : 1);
    if (!star_levels_tree(b, shape, shape->knob[0], &tree))
        return;
    struct star_place own = collect(b, &tree, result, star_at(STAR_SENDBUF, 0), 0, bytes, 1);
    if (tree.parent >= 0) {
        star_build_copy(b, shown, own, bytes);
        star_build_post(b, 1);
        star_build_end(b);
        star_build_await(b, tree.parent, 2);
        star_build_pull(b, result, tree.parent, 0, bytes);
    }
    if (tree.children > 0) {
        star_build_copy(b, shown, result, bytes);
        star_build_post(b, 2);
    }
    star_build_end(b);
}

static void build_allreduce(struct star_builder *b, const struct star_shape *shape)
{
    up_and_down(b, shape, shape->block);
}

static void build_barrier(struct star_builder *b, const struct star_shape *shape)
{
    up_and_down(b, shape, 0);
}

#define RADIX                                                                                                \
    {                                                                                                        \
        .name = "radix", .help = "of the tree within a group: a whole number, 2 or more", .least = 2,        \
        .most = INT32_MAX, .preset = 32, .values = {2, {4, 32}}, .more = {                                   \
            1,                                                                                               \
            {2}                                                                                              \
        }                                                                                                    \
    }
#define ROW                                                                                                  \
    .name = "shared_levels", .shares = true, .levels = true, .optimises = "hand-overs between caches",       \
    .needs = "all ranks on one node, bound to several L3 caches, NUMA nodes or packages",                    \
    .source = "Katevenis et al. 2022 (XHC)"
const struct star_algorithm star_bcast_shared_levels = {
    .operation = STAR_BCAST,
    .moves = "down a tree of packages, NUMA nodes, L3 caches and their ranks",
    .cost = "(lg_r(P)+n/s)α + lg_r(P)2nβ",
    .knobs = {RADIX, STAR_KNOB_HAND_OVER},
    .build = build_bcast,
    ROW};
const struct star_algorithm star_reduce_shared_levels = {
    .operation = STAR_REDUCE,
    .moves = "up a tree of packages, NUMA nodes, L3 caches and their ranks",
    .cost = "(lg_r(P)+n/s)α + lg_r(P)n(2β+γ)",
    .order = STAR_ORDER_FIXED,
    .knobs = {RADIX, STAR_KNOB_HAND_OVER},
    .build = build_reduce,
    ROW};
const struct star_algorithm star_allreduce_shared_levels = {
    .operation = STAR_ALLREDUCE,
    .moves = "up a tree of packages, NUMA nodes, L3 caches and their ranks, and down again",
    .cost = "2lg_r(P)(α + 2nβ) + lg_r(P)nγ",
    .order = STAR_ORDER_FIXED,
    .most_bytes = 16384,
    .knobs = {RADIX},
    .build = build_allreduce,
    ROW};
const struct star_algorithm star_barrier_shared_levels = {
    .operation = STAR_BARRIER,
    .moves = "up a tree of packages, NUMA nodes, L3 caches and their ranks, and down again",
    .cost = "2lg_r(P)α",
    .knobs = {RADIX},
    .build = build_barrier,
    ROW};
