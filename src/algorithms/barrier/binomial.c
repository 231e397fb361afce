/* SPDX-License-Identifier: BSD-3-Clause
 * Binomial: up a binomial tree that all have come, and down again that they have. 2 lg P rounds, 2(P−1)
 * messages of all ranks together: the fewest there can be. Mellor-Crummey and Scott, ACM TOCS 9(1), 1991. */
#include "algorithms/parts/tree.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    if (!star_tree_of(b, STAR_TREE_KNOMIAL, 2, shape->size, shape->rank, &tree))
        return;
    for (int c = 0; c < tree.children; c++)
        star_build_hear(b, tree.child[c]);
    star_build_round(b);
    if (tree.parent >= 0) {
        star_build_tell(b, tree.parent);
        star_build_hear(b, tree.parent);
    }
    star_build_round(b);
    for (int c = tree.children - 1; c >= 0; c--)
        star_build_tell(b, tree.child[c]);
}

const struct star_algorithm star_barrier_binomial = {
    .operation = STAR_BARRIER,
    .name = "binomial",
    .moves = "up a binomial tree, then down",
    .optimises = "messages",
    .cost = "2lg(P)α",
    .source = "Mellor-Crummey and Scott 1991 (tree)",
    .build = build,
};
