/* SPDX-License-Identifier: BSD-3-Clause
 * Halving: ⌊lg P⌋ rounds; in each a rank gives a partner half of the blocks that it still works on, and takes
 * in the other half. Partners are far apart first, so that each ends with its own block; for an operator that
 * is not commutative they are neighbours first, and one round more brings the blocks to their owners. Other
 * sizes than powers of two fold first. Rabenseifner 1997; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005. */
#include "algorithms/parts/reduce_scatter.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_blocks in = star_rank_blocks(shape, star_at(STAR_SENDBUF, 0));
    (shape->commutative ? star_team_reduce_scatter_halving
                        : star_team_reduce_scatter_butterfly)(b, &team, &in, star_at(STAR_RECVBUF, 0));
}

#define ROW                                                                                                  \
    .name = "halving", .build = build,                                                                       \
    .moves = "halves of what is left, exchanged with a far partner first", .optimises = "rounds",            \
    .cost = "lg(P)α + (P-1)nβ + (lg(P)-1)θ", .source = "Rabenseifner 1997; Thakur et al. 2005",              \
    .in_order = true, .order = STAR_ORDER_FIXED
const struct star_algorithm star_reduce_scatter_block_halving = {.operation = STAR_REDUCE_SCATTER_BLOCK, ROW};
const struct star_algorithm star_reduce_scatter_halving = {.operation = STAR_REDUCE_SCATTER, ROW};
