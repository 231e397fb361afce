/* SPDX-License-Identifier: BSD-3-Clause
 * Right exchanges, for tests that put one fault into them. */
#pragma once

#include "hand.h"

/* Alltoall, of which each rank has copied its own block. */
static inline void start(struct hand *hand, int size)
{
    begin(hand, STAR_ALLTOALL, size);
    for (int r = 0; r < size; r++) {
        hand->plans[r].temp_bytes = 3 * BLOCK;
        copy(hand, r, in(r), out(r), BLOCK);
    }
}

/* The exchange of one rank of two, right in every way: the receive is slot 0, the send slot 1. */
static inline void exchange(struct hand *hand, int rank)
{
    recv(hand, rank, 1 - rank, in(1 - rank), BLOCK);
    send(hand, rank, 1 - rank, out(1 - rank), BLOCK);
    wait_for(hand, rank, 0, 2);
}

static inline void start_pair(struct hand *hand)
{
    start(hand, 2);
    exchange(hand, 0);
    exchange(hand, 1);
}
