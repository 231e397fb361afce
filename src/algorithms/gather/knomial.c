/* SPDX-License-Identifier: BSD-3-Clause
 * K-nomial: up the tree of radix r of the ranks from the root on, around the end; each rank collects what its
 * subtree has and sends it on in one message. ⌈log_r P⌉ rounds; radix 2 is the binomial tree. Ranks with a
 * subtree, and a root other than 0, collect in the temporary. */
#include "algorithms/parts/gather.h"
#include "algorithms/parts/team.h"

/* Where the blocks of this rank's subtree gather: the first is its own. */
static struct star_place collect(struct star_builder *b, const struct star_shape *shape,
                                 const struct star_team *team, int64_t radix)
{
    int count = star_team_subtree(team->size, team->me, radix);
    struct star_place own = star_at(STAR_SENDBUF, 0), place = star_at(STAR_RECVBUF, 0);
    if (count == 1 && team->me > 0)
        return own;
    if (shape->rank > 0 || shape->root > 0)
        place = star_build_temp(b, count * shape->block);
    star_build_copy(b, place, own, shape->block);
    return place;
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int64_t block = shape->block, before_end = (shape->size - shape->root) * block;
    struct star_place place = collect(b, shape, &team, shape->knob[0]);
    struct star_blocks blocks = star_even_blocks(star_plus(place, -team.me * block), team.size, block);
    star_team_gather(b, &team, &blocks, shape->knob[0]);
    if (shape->rank == shape->root && shape->root > 0) {
        star_build_copy(b, star_at(STAR_RECVBUF, shape->root * block), place, before_end);
        star_build_copy(b, star_at(STAR_RECVBUF, 0), star_plus(place, before_end), shape->root * block);
    }
}

const struct star_algorithm star_gather_knomial = {
    .operation = STAR_GATHER,
    .name = "knomial",
    .one_way = true,
    .moves = "up a k-nomial tree (radix 2: binomial), each rank all of its subtree",
    .optimises = "messages",
    .cost = "(r-1)log_r(P)α + (P-1)nβ + (log_r(P)-1)θ",
    .source = "MPICH's and Open MPI's binomial gather, in base r",
    .most_bytes = 16384,
    .knobs = {STAR_KNOB_RADIX(2, 4)},
    .build = build,
};
