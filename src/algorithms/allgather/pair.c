/* SPDX-License-Identifier: BSD-3-Clause
 * Pair: P−1 rounds; in round i ranks j and j xor i exchange their blocks, so each deals with one partner at a
 * time. P must be a power of two. STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "pair", .moves = "round i: j and j xor i exchange their blocks", .optimises = "node contention", \
    .cost = "(P-1)(α + nβ) + (P-2)θ + γ; sync: δl or δh for θ", .source = "STAR-MPI 3.1",                    \
    .needs = "P a power of two", .power_of_two = true, .part.allgather = star_team_allgather_pair,           \
    .build = star_build_allgather
const struct star_algorithm star_allgather_pair = {
    .operation = STAR_ALLGATHER, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES}, ROW};
const struct star_algorithm star_allgatherv_pair = {
    .operation = STAR_ALLGATHERV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW}, ROW};
