/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive doubling: in round k rank i and rank i xor 2^k tell each other. Where P is not a power of two,
 * those above it tell one below first, and hear from it in the end: lg P rounds, or two more. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int me = shape->rank, power = 1;
    while (power <= shape->size / 2)
        power *= 2;
    if (me >= power) {
        star_build_tell(b, me - power);
        star_build_hear(b, me - power);
        return;
    }
    bool folded = me + power < shape->size;
    if (folded)
        star_build_hear(b, me + power);
    for (int distance = 1; distance < power; distance *= 2) {
        star_build_round(b);
        star_build_hear(b, me ^ distance);
        star_build_tell(b, me ^ distance);
    }
    star_build_round(b);
    if (folded)
        star_build_tell(b, me + power);
}

const struct star_algorithm star_barrier_recursive_doubling = {
    .operation = STAR_BARRIER,
    .name = "recursive_doubling",
    .moves = "round k: i <-> i xor 2^k",
    .optimises = "node contention",
    .cost = "lg(P)α; not a power of two: 2α more",
    .source = "Brooks 1986 (butterfly); Thakur et al. 2005 (folded)",
    .build = build,
};
