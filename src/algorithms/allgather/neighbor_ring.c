/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbour ring: P−1 rounds; every rank sends to the next one what it got in the round before from the
 * previous one, so that data goes over the same P links only. Faraj, Patarasuk, Yuan: Bandwidth Efficient
 * All-to-all Broadcast on Switched Clusters, 2005: with order=dfs no link carries two messages (TSLR).
 * A block that came in one round leaves in the next, so pieces alone are in flight. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "neighbor_ring", .moves = "round i: to the next rank what came from the previous one",           \
    .optimises = "link contention", .cost = "(P-1)(α + nβ) + (P-2)θ; sync: δl or δh for θ",                  \
    .source = "STAR-MPI 3.1 (logical ring)", .forwards = true,                                               \
    .part.allgather = star_team_allgather_neighbor_ring, .build = star_build_allgather
const struct star_algorithm star_allgather_neighbor_ring = {
    .operation = STAR_ALLGATHER,
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES, STAR_KNOB_ORDER},
    ROW};
const struct star_algorithm star_allgatherv_neighbor_ring = {
    .operation = STAR_ALLGATHERV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_ORDER}, ROW};
