/* SPDX-License-Identifier: BSD-3-Clause
 * Chain: the ranks from the root on form a chain; in each round the root sends one block to the next rank,
 * that of the farthest first, and every rank passes on what came in the round before, until its own comes
 * last. P−1 rounds. Blocks that pass through take turns in two places. */
#include "algorithms/parts/team.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int size = team.size, me = team.me;
    int64_t block = shape->block;
    bool passes = me > 0 && me < size - 1;
    struct star_place out = star_at(STAR_RECVBUF, 0), turn = star_build_temp(b, passes ? 2 * block : 0);
    if (me == 0)
        star_build_copy(b, out, star_at(STAR_SENDBUF, shape->root * block), block);
    for (int round = 0; round < size - 1; round++) {
        int comes = size - 2 - round + me, goes = comes + 1; /* whose block, counted from the root */
        struct star_place in = comes == me ? star_at(STAR_RECVBUF, 0) : star_plus(turn, round % 2 * block);
        if (me == 0)
            out = star_at(STAR_SENDBUF, star_member(&team, goes % size) * block);
        if (me > 0 && comes < size)
            star_build_recv(b, star_member(&team, me - 1), in, block);
        if (goes > me && goes < size)
            star_build_send(b, star_member(&team, me + 1), out, block);
        star_build_end(b);
        out = in;
    }
}

const struct star_algorithm star_scatter_chain = {
    .operation = STAR_SCATTER,
    .name = "chain",
    .one_way = true,
    .moves = "each round: one block to the next rank, the farthest one's first; a pipeline",
    .optimises = "link contention",
    .cost = "(P-1)(α + nβ + θ)",
    .source = "Pješivac-Grbović et al. 2007 (pipeline)",
    .knobs = {STAR_KNOB_ORDER},
    .build = build,
};
