/* SPDX-License-Identifier: BSD-3-Clause
 * One builder serves reduce_scatter_block and, in units, reduce_scatter. */
#ifndef STAR_ALGORITHMS_REDUCE_SCATTER_ROWS_H
#define STAR_ALGORITHMS_REDUCE_SCATTER_ROWS_H

#include "algorithms/parts/reduce_scatter.h"

static inline void star_reduce_scatter_by(star_reduce_scatter_part *part, struct star_builder *b,
                                          const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_blocks in = star_rank_blocks(shape, star_at(STAR_SENDBUF, 0));
    part(b, &team, &in, star_at(STAR_RECVBUF, 0));
}

#endif
