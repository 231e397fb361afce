/* SPDX-License-Identifier: BSD-3-Clause
 * Scatter and all-gather: the root scatters its vector in P blocks down a binomial tree, and all gather them.
 * Each rank sends the vector about twice in all, however many ranks there are, so for long vectors. The ring
 * has P−1 rounds with neighbours only, recursive doubling lg P.
 * van de Geijn; Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH,
 * IJHPCA 19(1), 2005. */
#include "algorithms/parts/allgather.h"
#include "algorithms/parts/gather.h"
#include "algorithms/parts/team.h"

/* In round i the block i behind goes to the next, who may have it since the scatter, as the root has all. */
static void gather_along_ring(struct star_builder *b, const struct star_team *team,
                              const struct star_blocks *blocks)
{
    int size = team->size, me = team->me, next = (me + 1) % size, held = star_team_subtree(size, me, 2),
        next_holds = star_team_subtree(size, next, 2);
    for (int i = 0; i < size - 1; i++) {
        int out = (me - i + size) % size, in = (me - i - 1 + size) % size;
        if (in < me || in >= me + held)
            star_build_recv(b, star_member(team, (me - 1 + size) % size), star_block(blocks, in),
                            star_block_bytes(blocks, in, in + 1));
        if (out < next || out >= next + next_holds)
            star_build_send(b, star_member(team, next), star_block(blocks, out),
                            star_block_bytes(blocks, out, out + 1));
        star_build_end(b);
    }
}

static bool scatter(struct star_builder *b, const struct star_shape *shape, struct star_team *team,
                    struct star_blocks *blocks)
{
    *blocks = (struct star_blocks){
        .at = star_at(STAR_RECVBUF, 0), .bytes = shape->block, .granule = 1, .count = shape->size};
    if (!star_turned(b, shape, shape->root, 1, team))
        return false;
    star_team_scatter(b, team, blocks, 2);
    return true;
}

static void build_ring(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    struct star_blocks blocks;
    if (scatter(b, shape, &team, &blocks))
        gather_along_ring(b, &team, &blocks);
}

/* The root's vector is only read: what comes to it is of no use. */
static void build_rdb(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    struct star_blocks blocks;
    if (!scatter(b, shape, &team, &blocks))
        return;
    if (team.me == 0) {
        struct star_place own = star_block(&blocks, 0);
        blocks.at = star_build_temp(b, blocks.bytes);
        star_build_copy(b, star_block(&blocks, 0), own, star_block_bytes(&blocks, 0, 1));
    }
    star_team_allgather_rdb(b, &team, &blocks);
}

const struct star_algorithm star_bcast_scatter_ring_allgather = {
    .operation = STAR_BCAST,
    .name = "scatter_ring_allgather",
    .one_way = true,
    .moves = "scatter down a binomial tree, then all-gather around a ring",
    .optimises = "bandwidth",
    .cost = "(lg(P)+P-1)(α + θ) + 2(P-1)(n/P)β + γ, less what the scatter left",
    .source = "van de Geijn; Thakur et al. 2005",
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_ORDER},
    .least_bytes = 2048,
    .build = build_ring,
};

const struct star_algorithm star_bcast_scatter_rdb_allgather = {
    .operation = STAR_BCAST,
    .name = "scatter_rdb_allgather",
    .moves = "scatter down a binomial tree, then all-gather by recursive doubling",
    .optimises = "bandwidth",
    .cost = "2lg(P)(α + θ) + 2(P-1)(n/P)β + γ",
    .source = "van de Geijn; Thakur et al. 2005",
    .least_bytes = 2048,
    .build = build_rdb,
};
