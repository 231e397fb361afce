/* SPDX-License-Identifier: BSD-3-Clause
 * All ranks together, in the receive buffer: what all rows of allgather and allgatherv do with a part.
 * allgatherv is the same in units. */
#ifndef STAR_ALGORITHMS_ALLGATHER_WHOLE_H
#define STAR_ALGORITHMS_ALLGATHER_WHOLE_H

#include "algorithms/parts/allgather.h"

static inline void star_allgather_by(star_allgather_part *part, struct star_builder *b,
                                     const struct star_shape *shape, int64_t parameter)
{
    struct star_team all = star_whole(shape);
    struct star_blocks blocks = star_rank_blocks(shape, star_at(STAR_RECVBUF, 0));
    star_build_copy(b, star_block(&blocks, all.me), star_at(STAR_SENDBUF, 0), shape->block);
    part(b, &all, &blocks, parameter);
}

#endif
