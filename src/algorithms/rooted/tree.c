/* SPDX-License-Identifier: BSD-3-Clause
 * Trees: a vector goes from the root down a tree, or all vectors are reduced on their way up it, whole or in
 * segments that follow each other, one a round. What differs is the tree: how deep it is, and how many
 * children share a rank's bandwidth. S segments of n/S bytes; at depth D the first is D rounds away from the
 * root. Pješivac-Grbović et al., MPI Collective Algorithm Selection and Quadtree Encoding, section 4. */
#include "algorithms/parts/lanes.h"
#include "topology/free_tree.h"

/* The row's tree of TEAM, whose root is rank TOP: of the ranks from there on, around the end, upwards (STEP
 * 1) or downwards (-1); or one that the network or the nodes tell. */
static bool find_tree(struct star_builder *b, const struct star_shape *shape, int top, int step,
                      struct star_team *team, struct star_tree *tree)
{
    const struct star_part *part = shape->part;
    struct star_lanes lanes;
    *team = star_whole(shape);
    if (part->leaders)
        return star_lanes_of(b, shape, 1, &lanes) && star_lanes_tree(b, &lanes, tree);
    if (part->free)
        return star_free_tree_of(b, shape, team, tree);
    return star_turned(b, shape, top, step, team) &&
           star_tree_of(b, (enum star_tree_kind)part->tree, part->by_radix ? shape->knob[0] : 2, team->size,
                        team->me, tree);
}

static int64_t segment_of(const struct star_shape *shape)
{
    return shape->knob[shape->part->by_radix];
}

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    struct star_tree tree = {0};
    if (find_tree(b, shape, shape->root, 1, &team, &tree))
        star_tree_bcast(b, &team, &tree, star_at(STAR_RECVBUF, 0), shape->block, 1, segment_of(shape));
}

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

/* Members are the ranks backwards, so that each takes in ranks below its own as left operands. If the
 * operator is commutative member 0 is the root; else it is the last rank, all members' subtrees are intervals
 * of ranks, and the result goes on from there to the root. */
static void build_reduce(struct star_builder *b, const struct star_shape *shape)
{
    int root = shape->root, me = shape->rank, top = shape->commutative ? root : shape->size - 1;
    struct star_team team;
    struct star_tree tree = {0};
    if (!find_tree(b, shape, top, -1, &team, &tree))
        return;
    bool leaf = me != top && tree.children == 0 && !shape->part->leaders;
    struct star_place vector = own_vector(b, shape, leaf);
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, segment_of(shape));
    if (top != root && me == top)
        star_build_send(b, root, vector, shape->block);
    if (top != root && me == root)
        star_build_recv(b, top, star_at(STAR_RECVBUF, 0), shape->block);
}

#define BCAST  .operation = STAR_BCAST, .one_way = true, .build = build_bcast
#define REDUCE .operation = STAR_REDUCE, .one_way = true, .order = STAR_ORDER_FIXED, .build = build_reduce
#define SOURCE "Pješivac-Grbović et al. 2006"

const struct star_algorithm star_bcast_linear = {BCAST,
                                                 .name = "linear",
                                                 .part.tree = STAR_TREE_FLAT,
                                                 .moves = "root -> everyone",
                                                 .optimises = "rounds",
                                                 .cost = "(P-1)(α + nβ) + γ",
                                                 .source = SOURCE};

#define CHAIN                                                                                                \
    .name = "chain", .part.tree = STAR_TREE_CHAIN, .optimises = "bandwidth",                                 \
    .cost = "(P+S-2)(α + nβ/S + θ) + γ", .source = SOURCE, .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER}
const struct star_algorithm star_bcast_chain = {
    BCAST, CHAIN, .moves = "i -> i+1 from the root on, segment after segment: a pipeline"};
const struct star_algorithm star_reduce_chain = {
    REDUCE, CHAIN, .moves = "i -> i+1 down to the root, segment after segment: a pipeline", .in_order = true};

#define BINOMIAL                                                                                             \
    .name = "binomial", .part.tree = STAR_TREE_KNOMIAL, .optimises = "messages",                             \
    .cost = "lg(P)(Sα + nβ + θ) + γ", .source = SOURCE, .knobs = {STAR_KNOB_SEGMENT}
const struct star_algorithm star_bcast_binomial = {
    BCAST, BINOMIAL, .moves = "down a binomial tree: i -> i+1, i+2, i+4, ..., the farthest first"};
const struct star_algorithm star_reduce_binomial = {REDUCE, BINOMIAL, .moves = "up a binomial tree",
                                                    .in_order = true};

#define KNOMIAL                                                                                              \
    .name = "knomial", .part = {.tree = STAR_TREE_KNOMIAL, .by_radix = true}, .optimises = "rounds",         \
    .cost = "(r-1)log_r(P)(Sα + nβ) + log_r(P)θ + γ", .source = "the binomial tree in base r",               \
    .knobs = {STAR_KNOB_RADIX(4, 8), STAR_KNOB_SEGMENT}
const struct star_algorithm star_bcast_knomial = {
    BCAST, KNOMIAL, .moves = "down a k-nomial tree: i -> i + j r^k for each j < r and k"};
const struct star_algorithm star_reduce_knomial = {
    REDUCE, KNOMIAL, .moves = "up a k-nomial tree: to i from i - j r^k for each j < r and k",
    .in_order = true};

#define BINARY                                                                                               \
    .optimises = "bandwidth", .cost = "2(lg(P)+S-2)(α + nβ/S + θ) + γ",                                      \
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER}
const struct star_algorithm star_bcast_binary = {BCAST,
                                                 BINARY,
                                                 .name = "binary",
                                                 .part.tree = STAR_TREE_BINARY,
                                                 .moves = "down a binary tree: i -> 2i+1, 2i+2",
                                                 .source = SOURCE};
const struct star_algorithm star_reduce_binary = {REDUCE,
                                                  BINARY,
                                                  .name = "binary",
                                                  .part.tree = STAR_TREE_BINARY,
                                                  .moves = "up a binary tree in heap order",
                                                  .source = SOURCE};
const struct star_algorithm star_bcast_in_order_binary = {
    BCAST,
    BINARY,
    .name = "in_order_binary",
    .part.tree = STAR_TREE_IN_ORDER,
    .moves = "down a binary tree of neighbours: i -> i+1 and the middle of the rest",
    .source = "Open MPI's in-order binary tree, here for bcast"};
const struct star_algorithm star_reduce_in_order_binary = {
    REDUCE,
    BINARY,
    .name = "in_order_binary",
    .part.tree = STAR_TREE_IN_ORDER,
    .moves = "up a binary tree of neighbours, whose halves are intervals of ranks",
    .source = "Open MPI's in-order binary tree",
    .in_order = true};

#define FREE                                                                                                 \
    .name = "free_binary", .part.free = true, .optimises = "link contention",                                \
    .cost = "2(H+S-1)(α + nβ/S + θ), H the tree's height", .needs = "a topology, up to 512 ranks",           \
    .network = true, .most_ranks = STAR_FREE_TREE_MOST, .knobs = {STAR_KNOB_SEGMENT}
const struct star_algorithm star_bcast_free_binary = {
    BCAST, FREE, .moves = "down a binary tree in which no link carries messages of two ranks one way",
    .source = "Patarasuk, Faraj, Yuan 2006"};
const struct star_algorithm star_reduce_free_binary = {
    REDUCE, FREE, .moves = "up a binary tree in which no link carries messages of two ranks one way",
    .source = "Patarasuk, Faraj, Yuan 2006, backwards"};

/* One message between nodes for each node. All is one tree, so that segments flow through both of its parts.
 * Karonis et al., IPDPS 2000. */
#define LEADERS                                                                                              \
    .name = "leaders", .part.leaders = true, .optimises = "messages between nodes",                          \
    .cost = "(lg(Q)+lg(P/Q)+s-1)(α + (n/s)β + θ), Q nodes, s segments", .needs = STAR_SEVERAL_NODES,         \
    .nodes = true, .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_LEVEL}
const struct star_algorithm star_bcast_leaders = {
    BCAST, LEADERS, .moves = "down a binomial tree of a rank of each node, then down one on each node",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000"};
const struct star_algorithm star_reduce_leaders = {
    REDUCE, LEADERS, .moves = "up a binomial tree on each node, then up one of a rank of each node",
    .source = "Kielmann et al. 1999 (MagPIe)"};
