/* SPDX-License-Identifier: BSD-3-Clause
 * All-gathers. */
#pragma once

#include "algorithms/parts/team.h"

/* All-gather: member i's block i lies in its place at first, and all blocks do afterwards. */
typedef void star_allgather_part(struct star_builder *b, const struct star_team *team,
                                 const struct star_blocks *blocks);
star_allgather_part star_team_allgather_simple, star_team_allgather_mesh2d, star_team_allgather_mesh3d,
    star_team_allgather_rdb, star_team_allgather_bruck, star_team_allgather_ring, star_team_allgather_pair,
    star_team_allgather_neighbor_ring, star_team_allgather_neighbor_exchange,
    star_team_allgather_gather_bcast, star_team_allgather_circulant;

/* Bruck, whose radix is 2 above. */
void star_team_allgather_by_radix(struct star_builder *b, const struct star_team *team,
                                  const struct star_blocks *blocks, int64_t radix);
/* All-gather in one dimension of the mesh after the other: one round each. */
void star_team_allgather_mesh(struct star_builder *b, const struct star_team *team,
                              const struct star_blocks *blocks, const int *mesh, int dimensions);

/* Builds rows of allgather and allgatherv, which is the same in units: the row's part, with all ranks, in the
 * receive buffer. */
void star_build_allgather(struct star_builder *b, const struct star_shape *shape);
