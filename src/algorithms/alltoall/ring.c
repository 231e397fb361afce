/* SPDX-License-Identifier: BSD-3-Clause
 * Ring: P−1 rounds; in round i every rank sends to the one i ahead and receives from the one i behind, so in
 * lock step nobody receives two messages at once. STAR-MPI, section 3.1; Faraj and Yuan, section 4.2. */
#include "algorithms/parts/team.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team all = star_whole(shape);
    int size = all.size, me = shape->rank;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    for (int i = 1; i < size; i++) {
        int from = star_member(&all, (all.me - i + size) % size), to = star_member(&all, (all.me + i) % size);
        if (i > 1)
            star_build_round(b);
        star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
        star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "ring", .moves = "round i: to i ahead, from i behind", .optimises = "node contention",           \
    .cost = "(P-1)(α + nβ) + (P-2)θ + γ; sync: δl or δh for θ",                                              \
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.2", .build = build
const struct star_algorithm star_alltoall_ring = {
    .operation = STAR_ALLTOALL,
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES, STAR_KNOB_ORDER},
    ROW};
const struct star_algorithm star_alltoallv_ring = {
    .operation = STAR_ALLTOALLV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_ORDER}, ROW};
