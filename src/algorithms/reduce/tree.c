/* SPDX-License-Identifier: BSD-3-Clause
 * Trees: vectors are reduced on their way up a tree to the root, whole or in segments that follow each other,
 * one a round. Members are the ranks backwards, so that each takes in ranks below its own as left operands.
 * If the operator is commutative member 0 is the root; else it is the last rank, all members' subtrees are
 * intervals of ranks, and the result goes on from there to the root.
 * Pješivac-Grbović et al., MPI Collective Algorithm Selection and Quadtree Encoding, section 4. */
#include "algorithms/parts/tree.h"
#include "algorithms/parts/team.h"
#include "topology/free_tree.h"

/* Where a member's vector is reduced; a leaf of the tree sends its input as it is. */
static struct star_place own_vector(struct star_builder *b, const struct star_shape *shape, bool leaf)
{
    struct star_place input = star_at(STAR_SENDBUF, 0);
    if (leaf)
        return input;
    struct star_place vector =
        shape->rank == shape->root ? star_at(STAR_RECVBUF, 0) : star_build_temp(b, shape->block);
    star_build_copy(b, vector, input, shape->block);
    return vector;
}

static void build_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix, int64_t segment)
{
    int root = shape->root, me = shape->rank, top = shape->commutative ? root : shape->size - 1;
    struct star_team team;
    struct star_tree tree;
    if (!star_turned(b, shape, top, -1, &team) ||
        !star_tree_of(b, (enum star_tree_kind)shape->part->tree, radix, team.size, team.me, &tree))
        return;
    struct star_place vector = own_vector(b, shape, me != top && tree.children == 0);
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, segment);
    if (top != root && me == top)
        star_build_send(b, root, vector, shape->block);
    if (top != root && me == root)
        star_build_recv(b, top, star_at(STAR_RECVBUF, 0), shape->block);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    build_tree(b, shape, 2, shape->knob[0]);
}

static void build_knomial(struct star_builder *b, const struct star_shape *shape)
{
    build_tree(b, shape, shape->knob[0], shape->knob[1]);
}

static void build_free_binary(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    struct star_tree tree;
    if (!star_free_tree_of(b, shape, &team, &tree))
        return;
    struct star_place vector = own_vector(b, shape, shape->rank != shape->root && tree.children == 0);
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, shape->knob[0]);
}

#define SOURCE "Pješivac-Grbović et al. 2006"

const struct star_algorithm star_reduce_chain = {
    .operation = STAR_REDUCE,
    .name = "chain",
    .one_way = true,
    .moves = "i -> i+1 down to the root, segment after segment: a pipeline",
    .optimises = "bandwidth",
    .cost = "(P+S-2)(α + nβ/S + θ) + γ",
    .source = SOURCE,
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_CHAIN,
    .build = build,
};

const struct star_algorithm star_reduce_binomial = {
    .operation = STAR_REDUCE,
    .name = "binomial",
    .one_way = true,
    .moves = "up a binomial tree",
    .optimises = "messages",
    .cost = "lg(P)(Sα + nβ + θ) + γ",
    .source = SOURCE,
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT},
    .part.tree = STAR_TREE_KNOMIAL,
    .build = build,
};

const struct star_algorithm star_reduce_knomial = {
    .operation = STAR_REDUCE,
    .name = "knomial",
    .one_way = true,
    .moves = "up a k-nomial tree: to i from i - j r^k for each j < r and k",
    .optimises = "rounds",
    .cost = "(r-1)log_r(P)(Sα + nβ) + log_r(P)θ + γ",
    .source = "the binomial tree in base r",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_RADIX(4, 8), STAR_KNOB_SEGMENT},
    .part.tree = STAR_TREE_KNOMIAL,
    .build = build_knomial,
};

const struct star_algorithm star_reduce_binary = {
    .operation = STAR_REDUCE,
    .name = "binary",
    .one_way = true,
    .moves = "up a binary tree in heap order",
    .optimises = "bandwidth",
    .cost = "2(lg(P)+S-2)(α + nβ/S + θ) + γ",
    .source = SOURCE,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_BINARY,
    .build = build,
};

const struct star_algorithm star_reduce_in_order_binary = {
    .operation = STAR_REDUCE,
    .name = "in_order_binary",
    .one_way = true,
    .moves = "up a binary tree of neighbours, whose halves are intervals of ranks",
    .optimises = "bandwidth",
    .cost = "2(lg(P)+S-2)(α + nβ/S + θ) + γ",
    .source = "Open MPI's in-order binary tree",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_IN_ORDER,
    .build = build,
};

const struct star_algorithm star_reduce_free_binary = {
    .operation = STAR_REDUCE,
    .name = "free_binary",
    .one_way = true,
    .moves = "up a binary tree in which no link carries messages of two ranks one way",
    .optimises = "link contention",
    .cost = "2(H+S-1)(α + nβ/S + θ), H the tree's height",
    .source = "Patarasuk, Faraj, Yuan 2006, backwards",
    .needs = "a topology, up to 512 ranks",
    .network = true,
    .most_ranks = STAR_FREE_TREE_MOST,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT},
    .build = build_free_binary,
};
