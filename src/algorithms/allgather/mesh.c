/* SPDX-License-Identifier: BSD-3-Clause
 * Meshes: the ranks form a logical mesh; what the ranks have got so far is all-gathered in each dimension,
 * one round each. No block moves twice to one rank. With one dimension left (P prime) each of them is Simple.
 * mesh2d and mesh3d factor P as evenly as they can; rdb uses P's prime factors, which for a power of two is
 * recursive doubling: lg P dimensions of two. STAR-MPI, section 3.1. */
#include "algorithms/parts/allgather.h"

#define MESH2D                                                                                               \
    .name = "mesh2d", .moves = "all-gather along x, then along y", .optimises = "messages",                  \
    .cost = "2(√P-1)α + (P-1)nβ + θ + γ", .source = "STAR-MPI 3.1",                                          \
    .part.allgather = star_team_allgather_mesh2d, .build = star_build_allgather
const struct star_algorithm star_allgather_mesh2d = {.operation = STAR_ALLGATHER, MESH2D};
const struct star_algorithm star_allgatherv_mesh2d = {.operation = STAR_ALLGATHERV, MESH2D};

#define MESH3D                                                                                               \
    .name = "mesh3d", .moves = "all-gather along x, then y, then z", .optimises = "messages",                \
    .cost = "3(∛P-1)α + (P-1)nβ + 2θ + γ", .source = "STAR-MPI 3.1",                                         \
    .part.allgather = star_team_allgather_mesh3d, .build = star_build_allgather
const struct star_algorithm star_allgather_mesh3d = {.operation = STAR_ALLGATHER, MESH3D};
const struct star_algorithm star_allgatherv_mesh3d = {.operation = STAR_ALLGATHERV, MESH3D};

#define RDB                                                                                                  \
    .name = "rdb", .moves = "recursive doubling: all-gather by P's prime factors", .optimises = "messages",  \
    .cost = "lg(P)α + (P-1)nβ + (lg(P)-1)θ", .source = "STAR-MPI 3.1",                                       \
    .part.allgather = star_team_allgather_rdb, .build = star_build_allgather
const struct star_algorithm star_allgather_rdb = {.operation = STAR_ALLGATHER, RDB};
const struct star_algorithm star_allgatherv_rdb = {.operation = STAR_ALLGATHERV, RDB};
