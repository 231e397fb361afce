/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbour exchange: P/2 rounds; ranks 2i and 2i+1 exchange their blocks, then every rank exchanges with its
 * neighbours on either side by turns the two blocks that it got last. P must be even. Chen et al.:
 * Performance Evaluation of Allgather Algorithms on Terascale Linux Cluster with Fast Ethernet, HPC Asia
 * 2005. */
#include "algorithms/parts/allgather.h"

#define ROW                                                                                                  \
    .name = "neighbor_exchange", .moves = "by turns with either neighbour: the two blocks got last",         \
    .optimises = "link contention", .cost = "(P/2)α + (P-1)nβ + (P/2-1)θ; sync: δl or δh for θ",             \
    .source = "Chen et al. 2005", .needs = "P even", .even = true, .knobs = {STAR_KNOB_SYNC},                \
    .part.allgather = star_team_allgather_neighbor_exchange, .build = star_build_allgather
const struct star_algorithm star_allgather_neighbor_exchange = {.operation = STAR_ALLGATHER, ROW};
const struct star_algorithm star_allgatherv_neighbor_exchange = {.operation = STAR_ALLGATHERV, ROW};
