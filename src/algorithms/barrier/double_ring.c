/* SPDX-License-Identifier: BSD-3-Clause
 * Double ring: word goes around the ring from rank 0 on, once that all have come, and again that they have.
 * Up to 2P−1 rounds one after the other, but to neighbours only, and never two messages at one rank. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank, last = size - 1;
    if (size == 1)
        return;
    for (int lap = 0; lap < 2; lap++) {
        if (me > 0 || lap > 0)
            star_build_hear(b, (me + last) % size);
        star_build_round(b);
        if (me < last || lap == 0)
            star_build_tell(b, (me + 1) % size);
        star_build_round(b);
    }
}

const struct star_algorithm star_barrier_double_ring = {
    .operation = STAR_BARRIER,
    .name = "double_ring",
    .moves = "i -> i+1, twice around from 0 on",
    .optimises = "link contention",
    .cost = "(2P-1)α",
    .source = "Open MPI's double ring",
    .build = build,
};
