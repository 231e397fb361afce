/* SPDX-License-Identifier: BSD-3-Clause
 * Chain: the ranks from the root on form a chain; in each round every rank sends one block to the one before
 * it, its own first, then what comes from behind, so the root gets a block a round and nobody more than one
 * at a time. P−1 rounds. Blocks that pass through take turns in two places. */
#include "algorithms/parts/team.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int size = team.size, me = team.me;
    int64_t block = shape->block;
    bool passes = me > 0 && me < size - 1;
    struct star_place out = star_at(STAR_SENDBUF, 0), turn = star_build_temp(b, passes ? 2 * block : 0);
    if (me == 0)
        star_build_copy(b, star_at(STAR_RECVBUF, shape->root * block), out, block);
    for (int round = 0; me + round < size; round++) {
        int comes = me + round + 1; /* whose block, counted from the root */
        struct star_place in = star_plus(turn, round % 2 * block);
        if (me == 0 && comes < size)
            in = star_at(STAR_RECVBUF, star_member(&team, comes) * block);
        if (comes < size)
            star_build_recv(b, star_member(&team, me + 1), in, block);
        if (me > 0)
            star_build_send(b, star_member(&team, me - 1), out, block);
        star_build_end(b);
        out = in;
    }
}

const struct star_algorithm star_gather_chain = {
    .operation = STAR_GATHER,
    .name = "chain",
    .one_way = true,
    .moves = "each round: one block to the rank before, the own one first; a pipeline",
    .optimises = "link contention",
    .cost = "(P-1)(α + nβ + θ)",
    .source = "Pješivac-Grbović et al. 2007 (pipeline)",
    .knobs = {STAR_KNOB_ORDER},
    .build = build,
};
