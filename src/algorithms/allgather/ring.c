/* SPDX-License-Identifier: BSD-3-Clause
 * Ring: P−1 rounds; in round i every rank sends its block to the one i ahead and receives that of the one i
 * behind, so in lock step nobody receives two messages at once. STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "ring", .moves = "round i: own block to i ahead, that of i behind from it",                      \
    .optimises = "node contention", .cost = "(P-1)(α + nβ) + (P-2)θ + γ; sync: δl or δh for θ",              \
    .source = "STAR-MPI 3.1", .part.allgather = star_team_allgather_ring, .build = star_build_allgather
const struct star_algorithm star_allgather_ring = {
    .operation = STAR_ALLGATHER,
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES, STAR_KNOB_ORDER},
    ROW};
const struct star_algorithm star_allgatherv_ring = {
    .operation = STAR_ALLGATHERV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_ORDER}, ROW};
