/* SPDX-License-Identifier: BSD-3-Clause
 * K-nomial: up the tree of radix r of the ranks from the root on, around the end, or down it; each rank
 * collects what its subtree has and sends it on in one message, or gets what it needs in one. ⌈log_r P⌉
 * rounds; radix 2 is the binomial tree. Ranks with a subtree, and a root other than 0, hold its blocks in the
 * temporary. */
#include "algorithms/parts/gather.h"
#include "algorithms/parts/rooted.h"

/* Where the blocks of this rank's subtree lie: the first is its own. */
static struct star_place hold(struct star_builder *b, const struct star_shape *shape,
                              const struct star_team *team, const struct star_rooted *r)
{
    int count = star_team_subtree(team->size, team->me, shape->knob[0]);
    if (count == 1 && team->me > 0)
        return r->own;
    if (shape->rank == 0 && shape->root == 0)
        return r->blocks;
    return star_build_temp(b, count * shape->block);
}

/* The root's blocks, by rank, and as they are held: from the root on. */
static void turn(struct star_builder *b, const struct star_shape *shape, const struct star_rooted *r,
                 struct star_place held)
{
    int64_t block = shape->block, before_end = (shape->size - shape->root) * block;
    if (shape->rank != shape->root || held.buffer == r->blocks.buffer)
        return;
    star_rooted_copy(b, r, star_plus(r->blocks, shape->root * block), held, before_end);
    star_rooted_copy(b, r, r->blocks, star_plus(held, before_end), shape->root * block);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_rooted r = star_rooted_of(shape);
    struct star_team team;
    if (!star_turned(b, shape, shape->root, 1, &team))
        return;
    int64_t block = shape->block;
    struct star_place held = hold(b, shape, &team, &r);
    struct star_blocks blocks = star_even_blocks(star_plus(held, -team.me * block), team.size, block);
    if (!r.gathers) {
        turn(b, shape, &r, held);
        star_team_scatter(b, &team, &blocks, shape->knob[0]);
    }
    if (held.buffer != r.own.buffer)
        star_rooted_copy(b, &r, held, r.own, block);
    if (r.gathers) {
        star_team_gather(b, &team, &blocks, shape->knob[0]);
        turn(b, shape, &r, held);
    }
}

#define ROW                                                                                                  \
    .name = "knomial", .one_way = true, .optimises = "messages",                                             \
    .cost = "(r-1)log_r(P)α + (P-1)nβ + (log_r(P)-1)θ", .most_bytes = 16384,                                 \
    .knobs = {STAR_KNOB_RADIX(2, 4)}, .build = build
const struct star_algorithm star_gather_knomial = {
    .operation = STAR_GATHER,
    .moves = "up a k-nomial tree (radix 2: binomial), each rank all of its subtree",
    .source = "MPICH's and Open MPI's binomial gather, in base r",
    .part.gathers = true,
    ROW};
const struct star_algorithm star_scatter_knomial = {
    .operation = STAR_SCATTER,
    .moves = "down a k-nomial tree (radix 2: binomial), each rank all of its subtree",
    .source = "MPICH's and Open MPI's binomial scatter, in base r",
    ROW};
