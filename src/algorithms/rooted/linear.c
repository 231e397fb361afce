/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: all ranks send to the root at once, or it to them. One round, P−1 messages at one rank: nothing
 * moves twice, but all of it meets at the root's link. */
#include "algorithms/parts/rooted.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_rooted r = star_rooted_of(shape);
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    if (shape->rank != root) {
        r.up(b, root, r.own, block);
        return;
    }
    star_rooted_copy(b, &r, star_plus(r.blocks, root * block), r.own, block);
    for (int i = 1; i < size; i++) {
        int peer = (root + i) % size;
        r.down(b, peer, star_plus(r.blocks, peer * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "linear", .one_way = true, .optimises = "rounds", .cost = "(P-1)(α + nβ) + γ",                   \
    .source = "the definition", .build = build
#define GATHER  ROW, .moves = "everyone -> root, all at once", .part.gathers = true
#define SCATTER ROW, .moves = "root -> everyone, all at once"
const struct star_algorithm star_gather_linear = {.operation = STAR_GATHER, GATHER};
const struct star_algorithm star_gatherv_linear = {.operation = STAR_GATHERV, GATHER};
const struct star_algorithm star_scatter_linear = {.operation = STAR_SCATTER, SCATTER};
const struct star_algorithm star_scatterv_linear = {.operation = STAR_SCATTERV, SCATTER};
