/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather, then reduce: every rank gets all vectors and reduces them itself, in the order of ranks: the
 * same bits on all, whatever P. As few messages as the all-gather needs, P times the bytes: for short
 * vectors. STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

enum { BRUCK, MESH2D, MESH3D, RDB, RING };

static const char *const words[] = {
    [BRUCK] = "bruck", [MESH2D] = "mesh2d", [MESH3D] = "mesh3d", [RDB] = "rdb", [RING] = "ring", NULL};

static star_allgather_part *const allgathers[] = {[BRUCK] = star_team_allgather_bruck,
                                                  [MESH2D] = star_team_allgather_mesh2d,
                                                  [MESH3D] = star_team_allgather_mesh3d,
                                                  [RDB] = star_team_allgather_rdb,
                                                  [RING] = star_team_allgather_ring};

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size;
    int64_t bytes = shape->block;
    struct star_team team = star_whole(shape);
    struct star_blocks all = star_even_blocks(star_build_temp(b, size * bytes), size, bytes);
    struct star_place result = star_at(STAR_RECVBUF, 0);
    star_build_copy(b, star_block(&all, shape->rank), star_at(STAR_SENDBUF, 0), bytes);
    allgathers[shape->knob[0]](b, &team, &all);
    star_build_copy(b, result, star_block(&all, size - 1), bytes);
    for (int r = size - 2; r >= 0; r--)
        star_build_reduce(b, result, star_block(&all, r), bytes);
}

const struct star_algorithm star_allreduce_allgather_reduce = {
    .operation = STAR_ALLREDUCE,
    .name = "allgather_reduce",
    .moves = "all-gather of all vectors, reduced by each rank itself",
    .optimises = "messages",
    .cost = "mα + (P-1)nβ + (r-1)θ, the all-gather with m messages in r rounds",
    .source = "STAR-MPI 3.1",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .most_bytes = 8192,
    .knobs = {{.name = "allgather",
               .help = "the first stage",
               .words = words,
               .most = RING,
               .preset = BRUCK,
               .values = {5, {BRUCK, MESH2D, MESH3D, RDB, RING}}}},
    .build = build,
};
