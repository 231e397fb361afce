/* SPDX-License-Identifier: BSD-3-Clause
 * Reduce-scatters. */
#pragma once

#include "algorithms/parts/team.h"

/* Reduce-scatter: reduces block i of all members' vectors IN to member i, at OUT. IN is not changed, and is
 * read no more when OUT is first written: the two may be one memory. Butterfly and pairwise reduce adjacent
 * intervals of members only. */
typedef void star_reduce_scatter_part(struct star_builder *b, const struct star_team *team,
                                      const struct star_blocks *in, struct star_place out);
star_reduce_scatter_part star_team_reduce_scatter_halving, star_team_reduce_scatter_ring,
    star_team_reduce_scatter_pairwise, star_team_reduce_scatter_circulant, star_team_reduce_scatter_butterfly;

/* Ring, SEGMENT bytes of a block at a time: while one arrives, the one before it is reduced. */
void star_reduce_scatter_ring_segments(struct star_builder *b, const struct star_team *team,
                                       const struct star_blocks *in, struct star_place out, int64_t segment);

/* Builds rows of reduce_scatter_block and, in units, reduce_scatter: the row's part, with all ranks. */
void star_build_reduce_scatter(struct star_builder *b, const struct star_shape *shape);
