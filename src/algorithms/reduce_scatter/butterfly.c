/* SPDX-License-Identifier: BSD-3-Clause
 * Butterfly: halving with neighbours first, so that only adjacent intervals of ranks are reduced; one round
 * more brings the blocks to their owners. The longest messages go to the nearest ranks.
 * Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, for operators that are not commutative. */
#include "algorithms/parts/reduce_scatter.h"

#define ROW                                                                                                  \
    .name = "butterfly", .part.reduce_scatter = star_team_reduce_scatter_butterfly,                          \
    .build = star_build_reduce_scatter,                                                                      \
    .moves = "halves of what is left, exchanged with a near partner first", .optimises = "rounds",           \
    .cost = "(lg(P)+1)α + Pnβ + lg(P)θ", .source = "Thakur et al. 2005", .in_order = true,                   \
    .order = STAR_ORDER_FIXED
const struct star_algorithm star_reduce_scatter_block_butterfly = {.operation = STAR_REDUCE_SCATTER_BLOCK,
                                                                   ROW};
const struct star_algorithm star_reduce_scatter_butterfly = {.operation = STAR_REDUCE_SCATTER, ROW};
