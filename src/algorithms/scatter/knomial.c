/* SPDX-License-Identifier: BSD-3-Clause
 * K-nomial: down the tree of radix r of the ranks from the root on, around the end; each rank gets what its
 * subtree needs in one message and sends on all but its own. ⌈log_r P⌉ rounds; radix 2 is the binomial tree.
 * Ranks with a subtree, and a root other than 0, hold it in the temporary. */
#include "algorithms/parts/gather.h"
#include "algorithms/parts/team.h"

/* Where the blocks of this rank's subtree lie: the first is its own. */
static struct star_place hold(struct star_builder *b, const struct star_shape *shape,
                              const struct star_team *team, int64_t radix)
{
    int count = star_team_subtree(team->size, team->me, radix);
    int64_t block = shape->block, before_end = (shape->size - shape->root) * block;
    if (count == 1 && team->me > 0)
        return star_at(STAR_RECVBUF, 0);
    if (shape->rank == 0 && shape->root == 0)
        return star_at(STAR_SENDBUF, 0);
    struct star_place place = star_build_temp(b, count * block);
    if (shape->rank == shape->root) {
        star_build_copy(b, place, star_at(STAR_SENDBUF, shape->root * block), before_end);
        star_build_copy(b, star_plus(place, before_end), star_at(STAR_SENDBUF, 0), shape->root * block);
    }
    return place;
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int64_t block = shape->block;
    struct star_place place = hold(b, shape, &team, shape->knob[0]);
    struct star_blocks blocks = star_even_blocks(star_plus(place, -team.me * block), team.size, block);
    star_team_scatter(b, &team, &blocks, shape->knob[0]);
    if (place.buffer != STAR_RECVBUF)
        star_build_copy(b, star_at(STAR_RECVBUF, 0), place, block);
}

const struct star_algorithm star_scatter_knomial = {
    .operation = STAR_SCATTER,
    .name = "knomial",
    .one_way = true,
    .moves = "down a k-nomial tree (radix 2: binomial), each rank all of its subtree",
    .optimises = "messages",
    .cost = "(r-1)log_r(P)α + (P-1)nβ + (log_r(P)-1)θ",
    .source = "MPICH's and Open MPI's binomial scatter, in base r",
    .most_bytes = 16384,
    .knobs = {STAR_KNOB_RADIX(2, 4)},
    .build = build,
};
