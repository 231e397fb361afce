/* SPDX-License-Identifier: BSD-3-Clause
 * Reduce, then broadcast, along one tree from the last rank, in segments. The tree takes ranks downwards, so
 * that they are reduced in their order. Linear instead sends all vectors to the last rank at once, which
 * reduces them as r0 op (r1 op …). Pješivac-Grbović et al., Cluster Computing 10, 2007. */
#include "algorithms/parts/team.h"
#include "algorithms/parts/tree.h"

enum { BINOMIAL, BINARY, CHAIN, FLAT };

static const char *const words[] = {
    [BINOMIAL] = "binomial", [BINARY] = "binary", [CHAIN] = "chain", [FLAT] = "flat", NULL};

static const enum star_tree_kind trees[] = {[BINOMIAL] = STAR_TREE_KNOMIAL,
                                            [BINARY] = STAR_TREE_IN_ORDER,
                                            [CHAIN] = STAR_TREE_CHAIN,
                                            [FLAT] = STAR_TREE_FLAT};

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    struct star_tree tree;
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (!star_turned(b, shape, shape->size - 1, -1, &team) ||
        !star_tree_of(b, trees[shape->knob[0]], 2, team.size, team.me, &tree))
        return;
    star_build_copy(b, vector, star_at(STAR_SENDBUF, 0), shape->block);
    star_tree_reduce(b, &team, &tree, vector, shape->block, shape->granule, shape->knob[1]);
    star_tree_bcast(b, &team, &tree, vector, shape->block, shape->granule, shape->knob[1]);
}

static void build_linear(struct star_builder *b, const struct star_shape *shape)
{
    int last = shape->size - 1;
    int64_t bytes = shape->block;
    struct star_team team;
    struct star_tree tree;
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (!star_turned(b, shape, last, -1, &team) ||
        !star_tree_of(b, STAR_TREE_KNOMIAL, 2, team.size, team.me, &tree))
        return;
    if (shape->rank < last) {
        star_build_send(b, last, star_at(STAR_SENDBUF, 0), bytes);
        star_build_end(b);
    } else {
        struct star_place came = star_build_temp(b, last * bytes);
        star_build_copy(b, vector, star_at(STAR_SENDBUF, 0), bytes);
        for (int r = 0; r < last; r++)
            star_build_recv(b, r, star_plus(came, r * bytes), bytes);
        star_build_end(b);
        for (int r = last - 1; r >= 0; r--)
            star_build_reduce(b, vector, star_plus(came, r * bytes), bytes);
    }
    star_tree_bcast(b, &team, &tree, vector, bytes, shape->granule, 0);
}

const struct star_algorithm star_allreduce_reduce_bcast = {
    .operation = STAR_ALLREDUCE,
    .name = "reduce_bcast",
    .moves = "reduced along a tree to the last rank, and broadcast back along it",
    .optimises = "messages",
    .cost = "2(d+s-1)(α + (n/s)β + θ), s segments in a tree d deep with one child",
    .source = "Pješivac-Grbović et al. 2007",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {{.name = "tree",
               .help = "the way to the last rank and back",
               .words = words,
               .most = FLAT,
               .preset = BINOMIAL,
               .values = {3, {BINOMIAL, BINARY, CHAIN}},
               .more = {1, {FLAT}}},
              STAR_KNOB_SEGMENT},
    .build = build,
};

const struct star_algorithm star_allreduce_linear = {
    .operation = STAR_ALLREDUCE,
    .name = "linear",
    .moves = "all vectors to the last rank at once, and the result back along a binomial tree",
    .optimises = "messages",
    .cost = "(P-1)(α + nβ) + lg(P)(α + nβ + θ)",
    .source = "Pješivac-Grbović et al. 2007",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .most_bytes = 65536,
    .build = build_linear,
};
