/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: everybody tells rank 0 that it came, which then tells everybody. Two rounds, and 2(P−1) messages of
 * rank 0. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    if (shape->rank > 0)
        star_build_tell(b, 0);
    for (int i = 1; shape->rank == 0 && i < shape->size; i++)
        star_build_hear(b, i);
    star_build_round(b);
    if (shape->rank > 0)
        star_build_hear(b, 0);
    for (int i = 1; shape->rank == 0 && i < shape->size; i++)
        star_build_tell(b, i);
}

const struct star_algorithm star_barrier_linear = {
    .operation = STAR_BARRIER,
    .name = "linear",
    .moves = "everyone -> 0, then 0 -> everyone",
    .optimises = "rounds",
    .cost = "2(P-1)α",
    .source = "Mellor-Crummey and Scott 1991 (central counter)",
    .build = build,
};
