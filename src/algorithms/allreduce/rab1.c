/* SPDX-License-Identifier: BSD-3-Clause
 * Rab1, Rabenseifner's algorithm: a reduce-scatter by recursive halving, then an all-gather of any kind; with
 * rdb it is recursive halving and doubling. All but the fewest bytes. All-gathers that are at their best, or
 * work at all, for powers of two of ranks have a power of two of workers, to which the others fold. For an
 * operator that is not commutative halving begins with neighbours. Rabenseifner 1997; STAR-MPI, section 3.1,
 * whose topology-specific logical ring (TSLR) is neighbor_ring with order=dfs. */
#include "algorithms/allreduce/stages.h"
#include "algorithms/parts/fold.h"

enum {
    SIMPLE,
    MESH2D,
    MESH3D,
    RDB,
    BRUCK,
    RING,
    NEIGHBOR_RING,
    PAIR,
    NEIGHBOR_EXCHANGE,
    GATHER_BCAST,
    CIRCULANT
};

static const char *const words[] = {[SIMPLE] = "simple",
                                    [MESH2D] = "mesh2d",
                                    [MESH3D] = "mesh3d",
                                    [RDB] = "rdb",
                                    [BRUCK] = "bruck",
                                    [RING] = "ring",
                                    [NEIGHBOR_RING] = "neighbor_ring",
                                    [PAIR] = "pair",
                                    [NEIGHBOR_EXCHANGE] = "neighbor_exchange",
                                    [GATHER_BCAST] = "gather_bcast",
                                    [CIRCULANT] = "circulant",
                                    NULL};

static const struct {
    star_allgather_part *part;
    bool power_of_two;
} allgathers[] = {
    [SIMPLE] = {star_team_allgather_simple, false},
    [MESH2D] = {star_team_allgather_mesh2d, false},
    [MESH3D] = {star_team_allgather_mesh3d, false},
    [RDB] = {star_team_allgather_rdb, true},
    [BRUCK] = {star_team_allgather_bruck, false},
    [RING] = {star_team_allgather_ring, false},
    [NEIGHBOR_RING] = {star_team_allgather_neighbor_ring, false},
    [PAIR] = {star_team_allgather_pair, true},
    [NEIGHBOR_EXCHANGE] = {star_team_allgather_neighbor_exchange, true},
    [GATHER_BCAST] = {star_team_allgather_gather_bcast, false},
    [CIRCULANT] = {star_team_allgather_circulant, false},
};

static star_reduce_scatter_part *halving_for(const struct star_shape *shape)
{
    return shape->commutative ? star_team_reduce_scatter_halving : star_team_reduce_scatter_butterfly;
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int workers = allgathers[shape->knob[0]].power_of_two ? star_fold_power(shape->size, 2) : shape->size;
    struct star_fold fold;
    if (!star_fold_of(b, shape, workers, &fold))
        return;
    struct star_place sum = star_at(STAR_SENDBUF, 0);
    if (workers < shape->size)
        sum = star_fold_in(b, &fold, sum, shape->block);
    if (fold.works)
        star_allreduce_stages(b, shape, &fold.workers, sum, halving_for(shape),
                              allgathers[shape->knob[0]].part);
    if (workers < shape->size)
        star_fold_out(b, &fold, star_at(STAR_RECVBUF, 0), shape->block);
}

static void build_ring(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    star_allreduce_stages(b, shape, &team, star_at(STAR_SENDBUF, 0), halving_for(shape),
                          star_team_allgather_ring);
}

const struct star_algorithm star_allreduce_rab1 = {
    .operation = STAR_ALLREDUCE,
    .name = "rab1",
    .moves = "reduce-scatter by recursive halving, then an all-gather",
    .optimises = "bandwidth",
    .cost = "(lg(P)+m)α + 2(P-1)(n/P)β + (lg(P)+r-1)θ, the all-gather with m messages in r rounds",
    .source = "Rabenseifner 1997; STAR-MPI 3.1",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {{.name = "allgather",
               .help = "the second stage",
               .words = words,
               .most = CIRCULANT,
               .preset = RDB,
               .values = {6, {SIMPLE, MESH2D, MESH3D, RDB, BRUCK, NEIGHBOR_RING}},
               .more = {5, {RING, PAIR, NEIGHBOR_EXCHANGE, GATHER_BCAST, CIRCULANT}}},
              STAR_KNOB_ORDER},
    .build = build,
};

/* A row of its own for the one all-gather of them that is paced. */
const struct star_algorithm star_allreduce_rab1_ring = {
    .operation = STAR_ALLREDUCE,
    .name = "rab1_ring",
    .moves = "reduce-scatter by recursive halving, then all-gather: to i ahead, from i behind",
    .optimises = "bandwidth",
    .cost = "(lg(P)+P-1)α + 2(P-1)(n/P)β + (lg(P)+P-2)θ; sync: δl or δh for θ",
    .source = "STAR-MPI 3.1",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_ORDER},
    .build = build_ring,
};
