/* SPDX-License-Identifier: BSD-3-Clause
 * Meshes: the ranks form a logical mesh; all data is all-gathered in each dimension but the last, and in the
 * last each rank sends on only what its peer needs. k dimensions: k rounds, few messages, much extra data, so
 * for small messages. With one dimension left (P prime) each of them is Simple.
 * mesh2d and mesh3d factor P as evenly as they can; rdb uses P's prime factors, which for a power of two is
 * recursive doubling: lg P dimensions of two. STAR-MPI, section 3.1; Faraj and Yuan, section 4.1. */
#include "algorithms/parts/mesh.h"
#include "algorithms/parts/allgather.h"

/* Gathers what all ranks of this rank's sub-mesh of all dimensions but the last send: those LAST ranks share
 * the coordinate of the last dimension. */
static void gather(struct star_builder *b, const struct star_shape *shape, const int *mesh, int dimensions,
                   int last, struct star_place all)
{
    int64_t set = shape->size * shape->block; /* what one rank sends */
    int *rank = star_build_scratch(b, (size_t)last * sizeof *rank);
    if (rank == NULL)
        return;
    struct star_team team = {.size = last, .me = shape->rank % last, .rank = rank};
    struct star_blocks sets = star_even_blocks(all, last, set);
    for (int i = 0; i < last; i++)
        rank[i] = shape->rank - team.me + i;
    star_build_copy(b, star_block(&sets, team.me), star_at(STAR_SENDBUF, 0), set);
    star_team_allgather_mesh(b, &team, &sets, mesh, dimensions - 1);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank, mesh[STAR_MESH_DIMENSIONS];
    int dimensions = star_mesh_of(size, shape->part->mesh, mesh);
    int across = dimensions > 0 ? mesh[dimensions - 1] : 1, last = size / across, mine = me / last;
    int64_t block = shape->block, set = size * block, part = last * block;
    struct star_place all = star_at(STAR_SENDBUF, 0), packed = all;
    if (dimensions > 1) {
        all = star_build_temp(b, last * set);
        packed = star_build_temp(b, (across - 1) * part);
        gather(b, shape, mesh, dimensions, last, all);
    }
    star_build_strided_copy(b, star_at(STAR_RECVBUF, mine * part), block, star_plus(all, me * block), set,
                            block, last);
    for (int i = 1; i < across; i++) {
        int ahead = (mine + i) % across, behind = (mine - i + across) % across;
        int to = me + (ahead - mine) * last;
        struct star_place out = star_plus(all, to * block);
        if (dimensions > 1) {
            out = star_plus(packed, (i - 1) * part);
            star_build_strided_copy(b, out, block, star_plus(all, to * block), set, block, last);
        }
        star_build_recv(b, me + (behind - mine) * last, star_at(STAR_RECVBUF, behind * part), part);
        star_build_send(b, to, out, part);
    }
}

const struct star_algorithm star_alltoall_mesh2d = {
    .operation = STAR_ALLTOALL,
    .name = "mesh2d",
    .moves = "all-gather along x, then each its part along y",
    .optimises = "messages",
    .cost = "2(√P-1)α + (√P-1)(P+√P)nβ + θ + γ",
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.1",
    .most_bytes = 256,
    .part.mesh = 2,
    .build = build,
};

const struct star_algorithm star_alltoall_mesh3d = {
    .operation = STAR_ALLTOALL,
    .name = "mesh3d",
    .moves = "all-gather along x and y, then each its part along z",
    .optimises = "messages",
    .cost = "3(c-1)α + ((c²-1)P + (c-1)c²)nβ + 2θ + γ, c = ∛P",
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.1",
    .most_bytes = 256,
    .part.mesh = 3,
    .build = build,
};

const struct star_algorithm star_alltoall_rdb = {
    .operation = STAR_ALLTOALL,
    .name = "rdb",
    .moves = "recursive doubling: all-gather by P's prime factors, then each its part",
    .optimises = "messages",
    .cost = "lg(P)α + (P-1)(P/2)nβ + (lg(P)-1)θ + γ",
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.1",
    .most_bytes = 256,
    .part.mesh = STAR_MESH_PRIMES,
    .build = build,
};
