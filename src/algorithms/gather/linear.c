/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: all ranks send to the root at once. One round, P−1 messages into one rank: nothing moves twice, but
 * all of it meets at the root's link. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    struct star_place own = star_at(STAR_SENDBUF, 0);
    if (shape->rank != root) {
        star_build_send(b, root, own, block);
        return;
    }
    star_build_copy(b, star_at(STAR_RECVBUF, root * block), own, block);
    for (int i = 1; i < size; i++) {
        int from = (root + i) % size;
        star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "linear", .one_way = true, .moves = "everyone -> root, all at once", .optimises = "rounds",      \
    .cost = "(P-1)(α + nβ) + γ", .source = "the definition", .build = build
const struct star_algorithm star_gather_linear = {.operation = STAR_GATHER, ROW};
const struct star_algorithm star_gatherv_linear = {.operation = STAR_GATHERV, ROW};
