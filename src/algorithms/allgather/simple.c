/* SPDX-License-Identifier: BSD-3-Clause
 * Simple: everything at once, i → i+1, i+2, … so that not all ranks send to the same one first.
 * One round, P−1 messages of n bytes a rank. STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "simple", .moves = "i -> i+1, i+2, ..., all at once", .optimises = "rounds",                     \
    .cost = "(P-1)(α + nβ) + γ", .source = "STAR-MPI 3.1", .part.allgather = star_team_allgather_simple,     \
    .build = star_build_allgather
const struct star_algorithm star_allgather_simple = {.operation = STAR_ALLGATHER, ROW};
const struct star_algorithm star_allgatherv_simple = {.operation = STAR_ALLGATHERV, ROW};
