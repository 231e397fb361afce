/* SPDX-License-Identifier: BSD-3-Clause
 * Trees: the vector goes from the root down a tree, whole or in segments that follow each other, one a round.
 * What differs is the tree: how deep it is, and how many children share a sender's bandwidth. Root r: the
 * tree of the ranks r, r+1, … around the end. S segments of n/S bytes; the first arrives at depth D after D
 * rounds. Pješivac-Grbović et al., MPI Collective Algorithm Selection and Quadtree Encoding, section 4. */
#include "algorithms/parts/tree.h"
#include "algorithms/parts/team.h"
#include "topology/free_tree.h"

static void build_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix, int64_t segment)
{
    struct star_team team;
    struct star_tree tree;
    if (star_turned(b, shape, shape->root, 1, &team) &&
        star_tree_of(b, (enum star_tree_kind)shape->part->tree, radix, team.size, team.me, &tree))
        star_tree_bcast(b, &team, &tree, star_at(STAR_RECVBUF, 0), shape->block, 1, segment);
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
    if (star_free_tree_of(b, shape, &team, &tree))
        star_tree_bcast(b, &team, &tree, star_at(STAR_RECVBUF, 0), shape->block, 1, shape->knob[0]);
}

#define SOURCE "Pješivac-Grbović et al. 2006"

const struct star_algorithm star_bcast_linear = {
    .operation = STAR_BCAST,
    .name = "linear",
    .one_way = true,
    .moves = "root -> everyone",
    .optimises = "rounds",
    .cost = "(P-1)(α + nβ) + γ",
    .source = SOURCE,
    .part.tree = STAR_TREE_FLAT,
    .build = build,
};

const struct star_algorithm star_bcast_chain = {
    .operation = STAR_BCAST,
    .name = "chain",
    .one_way = true,
    .moves = "i -> i+1 from the root on, segment after segment: a pipeline",
    .optimises = "bandwidth",
    .cost = "(P+S-2)(α + nβ/S + θ) + γ",
    .source = SOURCE,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_CHAIN,
    .build = build,
};

const struct star_algorithm star_bcast_binomial = {
    .operation = STAR_BCAST,
    .name = "binomial",
    .one_way = true,
    .moves = "down a binomial tree: i -> i+1, i+2, i+4, ..., the farthest first",
    .optimises = "messages",
    .cost = "lg(P)(Sα + nβ + θ) + γ",
    .source = SOURCE,
    .knobs = {STAR_KNOB_SEGMENT},
    .part.tree = STAR_TREE_KNOMIAL,
    .build = build,
};

const struct star_algorithm star_bcast_knomial = {
    .operation = STAR_BCAST,
    .name = "knomial",
    .one_way = true,
    .moves = "down a k-nomial tree: i -> i + j r^k for each j < r and k",
    .optimises = "rounds",
    .cost = "(r-1)log_r(P)(Sα + nβ) + log_r(P)θ + γ",
    .source = "the binomial tree in base r",
    .knobs = {STAR_KNOB_RADIX(4, 8), STAR_KNOB_SEGMENT},
    .part.tree = STAR_TREE_KNOMIAL,
    .build = build_knomial,
};

const struct star_algorithm star_bcast_binary = {
    .operation = STAR_BCAST,
    .name = "binary",
    .one_way = true,
    .moves = "down a binary tree: i -> 2i+1, 2i+2",
    .optimises = "bandwidth",
    .cost = "2(lg(P)+S-2)(α + nβ/S + θ) + γ",
    .source = SOURCE,
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_BINARY,
    .build = build,
};

const struct star_algorithm star_bcast_in_order_binary = {
    .operation = STAR_BCAST,
    .name = "in_order_binary",
    .one_way = true,
    .moves = "down a binary tree of neighbours: i -> i+1 and the middle of the rest",
    .optimises = "bandwidth",
    .cost = "2(lg(P)+S-2)(α + nβ/S + θ) + γ",
    .source = "Open MPI's in-order binary tree, here for bcast",
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .part.tree = STAR_TREE_IN_ORDER,
    .build = build,
};

const struct star_algorithm star_bcast_free_binary = {
    .operation = STAR_BCAST,
    .name = "free_binary",
    .one_way = true,
    .moves = "down a binary tree in which no link carries messages of two ranks one way",
    .optimises = "link contention",
    .cost = "2(H+S-1)(α + nβ/S + θ), H the tree's height",
    .source = "Patarasuk, Faraj, Yuan 2006",
    .needs = "a topology, up to 512 ranks",
    .network = true,
    .most_ranks = STAR_FREE_TREE_MOST,
    .knobs = {STAR_KNOB_SEGMENT},
    .build = build_free_binary,
};
