/* SPDX-License-Identifier: BSD-3-Clause
 * Reduce-scatter and gather: each rank reduces one of P blocks, by recursive halving, and the root gathers
 * them along a binomial tree. Each rank sends and reduces the vector about once, so for long vectors.
 * Rabenseifner 1997; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005. */
#include "algorithms/parts/gather.h"
#include "algorithms/parts/reduce_scatter.h"
#include "algorithms/parts/team.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_blocks vector = {.at = star_at(STAR_SENDBUF, 0),
                                 .bytes = shape->block,
                                 .granule = shape->granule,
                                 .count = shape->size};
    struct star_blocks result = vector;
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    result.at = star_at(STAR_RECVBUF, 0);
    if (team.me > 0) { /* room for the blocks that pass through here */
        int64_t before = star_block_start(&vector, team.me);
        int end = team.me + star_team_subtree(team.size, team.me, 2);
        result.at = star_plus(star_build_temp(b, star_block_bytes(&vector, team.me, end)), -before);
    }
    star_team_reduce_scatter_halving(b, &team, &vector, star_block(&result, team.me));
    star_team_gather(b, &team, &result, 2);
}

const struct star_algorithm star_reduce_reduce_scatter_gather = {
    .operation = STAR_REDUCE,
    .name = "reduce_scatter_gather",
    .moves = "reduce-scatter by recursive halving, then gather up a binomial tree",
    .optimises = "bandwidth",
    .cost = "2lg(P)(α + θ) + 2(P-1)(n/P)β + γ",
    .source = "Rabenseifner 1997; Thakur et al. 2005",
    .order = STAR_ORDER_FIXED,
    .least_bytes = 2048,
    .build = build,
};
