/* SPDX-License-Identifier: BSD-3-Clause
 * Circulant: ⌈lg P⌉ rounds for any P, and P−1 blocks: in each round the far half of the sums that a rank
 * still holds goes as far ahead as half of them reach. Träff, arXiv:2410.14234, 2024. */
#include "algorithms/parts/reduce_scatter.h"

#define ROW                                                                                                  \
    .name = "circulant", .part.reduce_scatter = star_team_reduce_scatter_circulant,                          \
    .build = star_build_reduce_scatter, .moves = "round k: the far half of the sums to ceil(P/2^k) ahead",   \
    .optimises = "rounds", .cost = "⌈lg(P)⌉α + (P-1)nβ + (⌈lg(P)⌉-1)θ", .source = "Träff 2024",              \
    .order = STAR_ORDER_FIXED
const struct star_algorithm star_reduce_scatter_block_circulant = {.operation = STAR_REDUCE_SCATTER_BLOCK,
                                                                   ROW};
const struct star_algorithm star_reduce_scatter_circulant = {.operation = STAR_REDUCE_SCATTER, ROW};
