/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that are the same on all ranks and machines: seeded, and from a generator of our own. */
#pragma once

#include <stdint.h>

/* One of 0 to BELOW − 1. */
static inline uint32_t star_draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

/* Of 0 to 1, without 1. */
static inline double star_draw_share(uint64_t *state)
{
    return star_draw(state, 1u << 30) / (double)(1u << 30);
}

/* How many to leave out so that one of STRIDE is left in the mean: never as many in turn, since what comes
 * again and again as often would be met at the same place each time. */
static inline int star_draw_gap(uint64_t *state, int stride)
{
    int half = stride / 2;
    return stride <= 1 ? 0 : stride - 1 - half + (int)star_draw(state, 2 * (uint32_t)half + 1);
}

/* Puts what is in ORDER into another order. */
static inline void star_shuffle(int *order, int count, uint64_t *state)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)star_draw(state, (uint32_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}
