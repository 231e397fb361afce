/* SPDX-License-Identifier: BSD-3-Clause
 * Chain: the ranks from the root on form a chain. To gather, in each round every rank sends one block to the
 * one before it, its own first, then what comes from behind, so the root gets a block a round and nobody more
 * than one at a time. To scatter, the same backwards: the root begins with the block of the farthest, and
 * every rank passes on what came in the round before, until its own comes last. P−1 rounds. Blocks that pass
 * through take turns in two places. */
#include "algorithms/parts/rooted.h"
#include "algorithms/parts/team.h"

/* Where the block of member OF lies, which passes the rank in ROUND. */
static struct star_place place_of(const struct star_team *team, const struct star_rooted *r, int of,
                                  struct star_place turn, int round, int64_t block)
{
    if (team->me == 0)
        return star_plus(r->blocks, star_member(team, of) * block);
    return of == team->me ? r->own : star_plus(turn, round % 2 * block);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_rooted r = star_rooted_of(shape);
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int size = team.size, me = team.me, from = r.gathers ? me + 1 : me - 1, to = r.gathers ? me - 1 : me + 1;
    int64_t block = shape->block;
    bool passes = me > 0 && me < size - 1;
    struct star_place turn = star_build_temp(b, passes ? 2 * block : 0);
    if (me == 0)
        star_rooted_copy(b, &r, star_plus(r.blocks, shape->root * block), r.own, block);
    for (int round = 0; round < size - 1; round++) {
        int near = me + (r.gathers ? round : size - 2 - round),
            far = near + 1; /* whose blocks, from the root */
        int comes = r.gathers ? far : near, goes = r.gathers ? near : far;
        if (comes < size && from >= 0)
            star_build_recv(b, star_member(&team, from), place_of(&team, &r, comes, turn, round, block),
                            block);
        if (goes < size && to >= 0) /* it came in the round before */
            star_build_send(b, star_member(&team, to), place_of(&team, &r, goes, turn, round + 1, block),
                            block);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "chain", .one_way = true, .optimises = "link contention", .cost = "(P-1)(α + nβ + θ)",           \
    .source = "Pješivac-Grbović et al. 2007 (pipeline)", .knobs = {STAR_KNOB_ORDER}, .build = build
const struct star_algorithm star_gather_chain = {
    .operation = STAR_GATHER,
    .moves = "each round: one block to the rank before, the own one first; a pipeline",
    .part.gathers = true,
    ROW};
const struct star_algorithm star_scatter_chain = {
    .operation = STAR_SCATTER,
    .moves = "each round: one block to the next rank, the farthest one's first; a pipeline",
    ROW};
