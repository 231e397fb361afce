/* SPDX-License-Identifier: BSD-3-Clause
 * Circulant: ⌈lg P⌉ rounds whatever P, and only the P−1 blocks that a rank lacks move to it, straight into
 * their places. The distances are P halved, rounded up, again and again, the shortest first. A run that
 * passes the last block is two messages. Träff: Optimal, Non-pipelined Reduce-scatter and Allreduce
 * Algorithms, arXiv 2410.14234, 2024, backwards. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "circulant",                                                                                     \
    .moves = "round k: the own run of blocks, to ceil(P/2^k) behind, the shortest way first",                \
    .optimises = "messages", .cost = "lg(P)α + (P-1)nβ + (lg(P)-1)θ", .source = "Träff 2024",                \
    .part.allgather = star_team_allgather_circulant, .build = star_build_allgather
const struct star_algorithm star_allgather_circulant = {.operation = STAR_ALLGATHER, ROW};
const struct star_algorithm star_allgatherv_circulant = {.operation = STAR_ALLGATHERV, ROW};
