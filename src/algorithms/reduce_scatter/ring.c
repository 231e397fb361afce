/* SPDX-License-Identifier: BSD-3-Clause
 * Ring: each block starts behind its owner and goes once round to it, and each rank on the way adds its own.
 * P−1 rounds, all traffic between neighbours. Patarasuk and Yuan, JPDC 69(2), 2009. */
#include "algorithms/parts/reduce_scatter.h"

#define ROW                                                                                                  \
    .name = "ring", .part.reduce_scatter = star_team_reduce_scatter_ring,                                    \
    .build = star_build_reduce_scatter, .moves = "round i: the sum so far of one block to the next rank",    \
    .optimises = "link contention", .cost = "(P-1)(α + nβ) + (P-2)θ", .source = "Patarasuk and Yuan 2009",   \
    .order = STAR_ORDER_FIXED, .knobs = {STAR_KNOB_ORDER}
const struct star_algorithm star_reduce_scatter_block_ring = {.operation = STAR_REDUCE_SCATTER_BLOCK, ROW};
const struct star_algorithm star_reduce_scatter_ring = {.operation = STAR_REDUCE_SCATTER, ROW};
