/* SPDX-License-Identifier: BSD-3-Clause
 * Called: linear, but the root tells every rank with an empty message that its receive is there, and the rank
 * sends only then: nothing comes unexpected, to be kept and copied again. Two rounds. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build_root(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, root * block), star_at(STAR_SENDBUF, 0), block);
    for (int i = 1; i < size; i++) {
        int from = (root + i) % size;
        star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
        star_build_tell(b, from);
    }
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    if (shape->rank == shape->root) {
        build_root(b, shape);
    } else {
        star_build_hear(b, shape->root);
        star_build_end(b);
        star_build_send(b, shape->root, star_at(STAR_SENDBUF, 0), shape->block);
    }
}

#define ROW                                                                                                  \
    .name = "called", .moves = "the root tells all that it is ready; then everyone -> root",                 \
    .optimises = "unexpected messages", .cost = "(P-1)(2α + nβ) + θ + γ",                                    \
    .source = "startune; as a rendezvous does", .build = build
const struct star_algorithm star_gather_called = {.operation = STAR_GATHER, ROW};
const struct star_algorithm star_gatherv_called = {.operation = STAR_GATHERV, ROW};
