/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduce in two stages: blocks of the vector are reduced each by one rank, then gathered by all. */
#pragma once

#include "algorithms/parts/allgather.h"
#include "algorithms/parts/reduce_scatter.h"

/* The vector at AT in as many blocks as there are MEMBERS. */
static inline struct star_blocks star_vector_blocks(const struct star_shape *shape, struct star_place at,
                                                    int members)
{
    return (struct star_blocks){.at = at, .bytes = shape->block, .granule = shape->granule, .count = members};
}

/* The members' vectors at IN become one in their receive buffers. */
static inline void star_allreduce_stages(struct star_builder *b, const struct star_shape *shape,
                                         const struct star_team *team, struct star_place in,
                                         star_reduce_scatter_part *reduce_scatter,
                                         star_allgather_part *allgather)
{
    struct star_blocks from = star_vector_blocks(shape, in, team->size);
    struct star_blocks to = star_vector_blocks(shape, star_at(STAR_RECVBUF, 0), team->size);
    reduce_scatter(b, team, &from, star_block(&to, team->me));
    allgather(b, team, &to);
}
