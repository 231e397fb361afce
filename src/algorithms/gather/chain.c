/* SPDX-License-Identifier: BSD-3-Clause
 * Chain: the ranks from the root on form a chain; in each round every rank sends one block to the one before
 * it, its own first, then what comes from behind, so the root gets a block a round and nobody more than one
 * at a time. P−1 rounds. Blocks that pass through take turns in two places. */
#include "algorithms/method.h"

static void build(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    int size = shape->size, root = shape->root, me = (shape->rank - root + size) % size;
    int64_t block = shape->block;
    bool passes = me > 0 && me < size - 1;
    struct star_place out = star_at(STAR_SENDBUF, 0), turn = star_build_temp(b, passes ? 2 * block : 0);
    if (me == 0)
        star_build_copy(b, star_at(STAR_RECVBUF, root * block), out, block);
    for (int round = 0; me + round < size; round++) {
        int comes = me + round + 1; /* whose block, counted from the root */
        struct star_place in = me == 0 ? star_at(STAR_RECVBUF, (root + comes) % size * block)
                                       : star_plus(turn, round % 2 * block);
        if (comes < size)
            star_build_recv(b, (shape->rank + 1) % size, in, block);
        if (me > 0)
            star_build_send(b, (shape->rank - 1 + size) % size, out, block);
        star_build_end(b);
        out = in;
    }
}

const struct star_algorithm star_gather_chain = {
    .operation = STAR_GATHER,
    .name = "chain",
    .moves = "each round: one block to the rank before, the own one first; a pipeline",
    .optimises = "link contention",
    .cost = "(P-1)(α + nβ + θ)",
    .source = "Pješivac-Grbović et al. 2007 (pipeline)",
    .build = build,
};
