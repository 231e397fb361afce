/* SPDX-License-Identifier: BSD-3-Clause
 * Called: linear, but every rank first tells the root with an empty message that its receive is there, and
 * the root sends when all have: nothing comes unexpected, to be kept and copied again. Two rounds. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build_root(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, root * block), block);
    for (int i = 1; i < size; i++)
        star_build_hear(b, (root + i) % size);
    star_build_end(b);
    for (int i = 1; i < size; i++) {
        int to = (root + i) % size;
        star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    if (shape->rank == shape->root) {
        build_root(b, shape);
    } else {
        star_build_recv(b, shape->root, star_at(STAR_RECVBUF, 0), shape->block);
        star_build_tell(b, shape->root);
    }
}

#define ROW                                                                                                  \
    .name = "called", .moves = "all tell the root that they are ready; then root -> everyone",               \
    .optimises = "unexpected messages", .cost = "(P-1)(2α + nβ) + θ + γ",                                    \
    .source = "startune; as a rendezvous does", .build = build
const struct star_algorithm star_scatter_called = {.operation = STAR_SCATTER, ROW};
const struct star_algorithm star_scatterv_called = {.operation = STAR_SCATTERV, ROW};
