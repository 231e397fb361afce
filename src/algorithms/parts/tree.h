/* SPDX-License-Identifier: BSD-3-Clause
 * Trees. */
#pragma once

#include "algorithms/parts/team.h"

/* Trees over members 0…size−1 with root 0. In all but heap order, a member's subtree is the members from it
 * on, without a gap, and its children come in ascending order: so are reductions in the order of members. */
enum star_tree_kind {
    STAR_TREE_FLAT,    /* all are children of the root */
    STAR_TREE_CHAIN,   /* i's child is i+1 */
    STAR_TREE_KNOMIAL, /* i's children are i + j RADIX^k; RADIX 2 is the binomial tree */
    STAR_TREE_BINARY,  /* heap order: i's children are 2i+1 and 2i+2 */
    STAR_TREE_IN_ORDER /* binary: the two halves of what is left of the subtree */
};
struct star_tree {
    int parent; /* −1: the root */
    int *child; /* ascending; scratch of the builder */
    int children;
};
/* False when out of memory. */
bool star_tree_of(struct star_builder *b, enum star_tree_kind kind, int64_t radix, int size, int member,
                  struct star_tree *tree);
/* A k-nomial tree of all ranks, from the shape's root on. False when out of memory. */
bool star_ranks_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix,
                     struct star_tree *tree);
/* The flattest binary tree without contention on the network, from the shape's root on; TEAM becomes its
 * members. False when it cannot be made. */
bool star_free_tree_of(struct star_builder *b, const struct star_shape *shape, struct star_team *team,
                       struct star_tree *tree);
/* Moves BYTES at PLACE from the root to all. SEGMENT bytes at a time, 0: all at once, in whole granules. */
void star_tree_bcast(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                     struct star_place place, int64_t bytes, int64_t granule, int64_t segment);
/* Reduces BYTES at PLACE of all members into that of the root; others' is overwritten. A member's value is
 * the right operand, those of its children the left ones, the nearest first: the result is … op child[1] op
 * child[0] op own. */
void star_tree_reduce(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                      struct star_place place, int64_t bytes, int64_t granule, int64_t segment);
