/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: the root sends to all ranks at once. One round, P−1 messages out of one rank, and nothing moves
 * twice. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    struct star_place own = star_at(STAR_RECVBUF, 0);
    if (shape->rank != root) {
        star_build_recv(b, root, own, block);
        return;
    }
    star_build_copy(b, own, star_at(STAR_SENDBUF, root * block), block);
    for (int i = 1; i < size; i++) {
        int to = (root + i) % size;
        star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "linear", .one_way = true, .moves = "root -> everyone, all at once", .optimises = "rounds",      \
    .cost = "(P-1)(α + nβ) + γ", .source = "the definition", .build = build
const struct star_algorithm star_scatter_linear = {.operation = STAR_SCATTER, ROW};
const struct star_algorithm star_scatterv_linear = {.operation = STAR_SCATTERV, ROW};
