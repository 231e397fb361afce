/* SPDX-License-Identifier: BSD-3-Clause
 * Paced: linear in rounds; in round i the root sends to the rank i ahead, so that no more than WINDOW
 * messages are under way at a time, and the first ranks have theirs early. P−1 rounds. */
#include "algorithms/knobs.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    struct star_place own = star_at(STAR_RECVBUF, 0);
    if (shape->rank == root)
        star_build_copy(b, own, star_at(STAR_SENDBUF, root * block), block);
    for (int i = 1; i < size; i++) {
        int to = (root + i) % size;
        if (shape->rank == root)
            star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
        else if (shape->rank == to)
            star_build_recv(b, root, own, block);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "paced", .one_way = true, .moves = "round i: from the root to i ahead",                          \
    .optimises = "node contention", .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ",                  \
    .source = "as gather's", .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW}, .build = build
const struct star_algorithm star_scatter_paced = {.operation = STAR_SCATTER, ROW};
const struct star_algorithm star_scatterv_paced = {.operation = STAR_SCATTERV, ROW};
