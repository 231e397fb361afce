/* SPDX-License-Identifier: BSD-3-Clause
 * Pair: P−1 rounds; in round i ranks j and j xor i exchange, so each deals with one partner at a time.
 * P must be a power of two. STAR-MPI, section 3.1; Faraj and Yuan, section 4.2. */
#include "algorithms/knobs.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int me = shape->rank;
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    for (int i = 1; i < shape->size; i++) {
        int peer = me ^ i;
        if (i > 1)
            star_build_round(b);
        star_build_recv(b, peer, star_at(STAR_RECVBUF, peer * block), block);
        star_build_send(b, peer, star_at(STAR_SENDBUF, peer * block), block);
    }
}

#define ROW                                                                                                  \
    .name = "pair", .moves = "round i: j and j xor i exchange", .optimises = "node contention",              \
    .cost = "(P-1)(α + nβ) + (P-2)θ + γ; sync: δl or δh for θ",                                              \
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.2", .needs = "P a power of two", .power_of_two = true,         \
    .build = build
const struct star_algorithm star_alltoall_pair = {
    .operation = STAR_ALLTOALL, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES}, ROW};
const struct star_algorithm star_alltoallv_pair = {
    .operation = STAR_ALLTOALLV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW}, ROW};
