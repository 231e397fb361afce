/* SPDX-License-Identifier: BSD-3-Clause
 * Circulant: reduce-scatter, then all-gather, each in ⌈lg P⌉ rounds with fewest bytes, for any P.
 * Träff, arXiv:2410.14234, 2024. */
#include "algorithms/allreduce/stages.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    star_allreduce_stages(b, shape, &team, star_at(STAR_SENDBUF, 0), star_team_reduce_scatter_circulant,
                          star_team_allgather_circulant);
}

const struct star_algorithm star_allreduce_circulant = {
    .operation = STAR_ALLREDUCE,
    .name = "circulant",
    .moves = "the far half of the sums to ceil(P/2^k) ahead, then the results backwards",
    .optimises = "bandwidth",
    .cost = "2⌈lg(P)⌉α + 2(P-1)(n/P)β + (2⌈lg(P)⌉-1)θ",
    .source = "Träff 2024",
    .order = STAR_ORDER_FIXED,
    .build = build,
};
