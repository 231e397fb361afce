/* SPDX-License-Identifier: BSD-3-Clause
 * Gather, then broadcast, both along the binomial tree of rank 0: 2⌈lg P⌉ rounds, and the fewest messages of
 * all, 2(P−1), but all data passes through each inner rank. As the static tuning system that STAR-MPI's
 * algorithms come from has it: Faraj and Yuan: Automatic Generation and Tuning of MPI Collective
 * Communication Routines, ICS 2005. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "gather_bcast", .moves = "binomial gather to rank 0, then binomial bcast",                       \
    .optimises = "messages", .cost = "2lg(P)α + (P-1 + P lg(P))nβ + (2lg(P)-1)θ",                            \
    .source = "Faraj and Yuan, ICS 2005", .part.allgather = star_team_allgather_gather_bcast,                \
    .build = star_build_allgather
const struct star_algorithm star_allgather_gather_bcast = {
    .operation = STAR_ALLGATHER, .most_bytes = 1024, ROW};
const struct star_algorithm star_allgatherv_gather_bcast = {
    .operation = STAR_ALLGATHERV, .most_bytes = 65536, ROW};
