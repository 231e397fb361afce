/* SPDX-License-Identifier: BSD-3-Clause
 * Paced: linear in rounds; round i is that of the rank i ahead of the root, so that no more than WINDOW
 * messages are under way at a time. With sync the others wait for their round: light is the root calling one
 * after the other. P−1 rounds. */
#include "algorithms/parts/rooted.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_rooted r = star_rooted_of(shape);
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    if (shape->rank == root)
        star_rooted_copy(b, &r, star_plus(r.blocks, root * block), r.own, block);
    for (int i = 1; i < size; i++) {
        int peer = (root + i) % size;
        if (shape->rank == root)
            r.down(b, peer, star_plus(r.blocks, peer * block), block);
        else if (shape->rank == peer)
            r.up(b, root, r.own, block);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "paced", .one_way = true, .optimises = "node contention",                                        \
    .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ", .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW},     \
    .build = build
#define GATHER                                                                                               \
    ROW, .moves = "round i: from i ahead to the root",                                                       \
         .source = "Open MPI's linear with synchronisation, as knobs", .part.gathers = true
#define SCATTER ROW, .moves = "round i: from the root to i ahead", .source = "as gather's"
const struct star_algorithm star_gather_paced = {.operation = STAR_GATHER, GATHER};
const struct star_algorithm star_gatherv_paced = {.operation = STAR_GATHERV, GATHER};
const struct star_algorithm star_scatter_paced = {.operation = STAR_SCATTER, SCATTER};
const struct star_algorithm star_scatterv_paced = {.operation = STAR_SCATTERV, SCATTER};
