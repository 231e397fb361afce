/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: everything at once, i → 0, 1, …: all ranks send to rank 0 first, then to rank 1.
 * One round, P−1 messages of n bytes a rank. Faraj and Yuan's Simple, section 4.1. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int me = shape->rank;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    for (int peer = 0; peer < shape->size; peer++)
        if (peer != me) {
            star_build_recv(b, peer, star_at(STAR_RECVBUF, peer * block), block);
            star_build_send(b, peer, star_at(STAR_SENDBUF, peer * block), block);
        }
}

#define ROW                                                                                                  \
    .name = "linear", .moves = "i -> 0, 1, ..., all at once", .optimises = "rounds",                         \
    .cost = "(P-1)α + (P-1)nβ + γ", .source = "Faraj and Yuan 4.1 (simple)", .build = build
const struct star_algorithm star_alltoall_linear = {.operation = STAR_ALLTOALL, ROW};
const struct star_algorithm star_alltoallv_linear = {.operation = STAR_ALLTOALLV, ROW};
