/* SPDX-License-Identifier: BSD-3-Clause
 * Paced: linear in rounds; in round i the root receives from the rank i ahead, so that no more than WINDOW
 * messages are taken at a time. With sync the senders too wait for their round: light is the root calling one
 * after the other. P−1 rounds. */
#include "algorithms/knobs.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    struct star_place own = star_at(STAR_SENDBUF, 0);
    if (shape->rank == root)
        star_build_copy(b, star_at(STAR_RECVBUF, root * block), own, block);
    for (int i = 1; i < size; i++) {
        int from = (root + i) % size;
        if (shape->rank == root)
            star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
        else if (shape->rank == from)
            star_build_send(b, root, own, block);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "paced", .one_way = true, .moves = "round i: from i ahead to the root",                          \
    .optimises = "node contention", .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ",                  \
    .source = "Open MPI's linear with synchronisation, as knobs",                                            \
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW}, .build = build
const struct star_algorithm star_gather_paced = {.operation = STAR_GATHER, ROW};
const struct star_algorithm star_gatherv_paced = {.operation = STAR_GATHERV, ROW};
