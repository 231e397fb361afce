/* SPDX-License-Identifier: BSD-3-Clause
 * Bruck: what a rank holds is a run of blocks from its own on; in each round it gets the runs of the r−1
 * ranks that are 1, 2, … of its run ahead, so that the run grows r-fold: ⌈log_r P⌉ rounds, and no block moves
 * twice to one rank. Bruck et al., IEEE TPDS 8(11), 1997; STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team all = star_whole(shape);
    struct star_blocks blocks = star_rank_blocks(shape, star_at(STAR_RECVBUF, 0));
    star_build_copy(b, star_block(&blocks, all.me), star_at(STAR_SENDBUF, 0), shape->block);
    star_team_allgather_by_radix(b, &all, &blocks, shape->knob[0]);
}

#define ROW                                                                                                  \
    .name = "bruck", .moves = "round k: the first r^k blocks, to 1, ..., r-1 times r^k behind",              \
    .optimises = "messages", .cost = "(r-1)log_r(P)α + (P-1)nβ + (log_r(P)-1)θ + γ",                         \
    .source = "Bruck et al. 1997; STAR-MPI 3.1", .knobs = {STAR_KNOB_RADIX(2, 4)}, .build = build
const struct star_algorithm star_allgather_bruck = {.operation = STAR_ALLGATHER, .most_bytes = 8192, ROW};
const struct star_algorithm star_allgatherv_bruck = {.operation = STAR_ALLGATHERV, .most_bytes = 524288, ROW};
