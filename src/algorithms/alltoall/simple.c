/* SPDX-License-Identifier: BSD-3-Clause
 * Simple: everything at once, i → i+1, i+2, … so that not all ranks send to the same one first.
 * One round, P−1 messages of n bytes a rank. STAR-MPI, section 3.1; Faraj and Yuan's Spreading Simple. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    for (int i = 1; i < size; i++) {
        int from = (me - i + size) % size, to = (me + i) % size;
        star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
        star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "simple", .moves = "i -> i+1, i+2, ..., all at once", .optimises = "rounds",                     \
    .cost = "(P-1)α + (P-1)nβ + γ", .source = "STAR-MPI 3.1; Faraj and Yuan 4.1 (spreading simple)",         \
    .build = build
const struct star_algorithm star_alltoall_simple = {.operation = STAR_ALLTOALL, ROW};
const struct star_algorithm star_alltoallv_simple = {.operation = STAR_ALLTOALLV, ROW};
