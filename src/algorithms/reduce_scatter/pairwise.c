/* SPDX-License-Identifier: BSD-3-Clause
 * Pairwise: P−1 rounds; in round i a rank sends the one i ahead its block and adds what comes from i behind.
 * What comes is reduced in the order of ranks. Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005. */
#include "algorithms/parts/reduce_scatter.h"

#define ROW                                                                                                  \
    .name = "pairwise", .part.reduce_scatter = star_team_reduce_scatter_pairwise,                            \
    .build = star_build_reduce_scatter, .moves = "round i: its block to i ahead, from i behind",             \
    .optimises = "node contention", .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ",                  \
    .source = "Thakur et al. 2005", .in_order = true, .order = STAR_ORDER_FIXED, .knobs = {STAR_KNOB_SYNC}
const struct star_algorithm star_reduce_scatter_block_pairwise = {.operation = STAR_REDUCE_SCATTER_BLOCK,
                                                                  ROW};
const struct star_algorithm star_reduce_scatter_pairwise = {.operation = STAR_REDUCE_SCATTER, ROW};
