/* SPDX-License-Identifier: BSD-3-Clause
 * Mock-ups: an operation done by others of the MPI library, which may have been given more care. Where one of
 * them wins, the MPI library breaks a rule that its users expect of it. runtime/mockups.c runs them. What
 * each is LIKE is an algorithm of ours: so the cost model expects something of it, though nobody knows what
 * the MPI library does. */
#include "algorithms/method.h"

#define STAR_ALGORITHM(name) extern const struct star_algorithm star_##name;
#include "algorithms/repository.def"
#undef STAR_ALGORITHM

/* With a block, or with those of all ranks as one. */
#define LIKE(which)     .like = {&star_##which, false}
#define LIKE_ALL(which) .like = {&star_##which, true}

#define MOCKUP(which, how, constant, number, parts, limits, ...)                                             \
    const struct star_algorithm star_##which##_as_##how = {.operation = constant,                            \
                                                           .name = "as_" #how,                               \
                                                           .moves = parts " of the MPI library",             \
                                                           .optimises = "what the MPI library does better",  \
                                                           .cost = "the MPI library's",                      \
                                                           .source = "PGMPITuneLib (Hunold, Carpen-Amarie)", \
                                                           .needs = limits,                                  \
                                                           .mockup = number,                                 \
                                                           __VA_ARGS__};

/* MOCKED moves data, REDUCED reduces, IN_ORDER also with operators that are not commutative. What goes
 * through a reduce-scatter does not: MPICH 4.0 reads past the buffer there when elements have gaps. */
#define MOCKED   .order = STAR_ORDER_NONE
#define REDUCED  .order = STAR_ORDER_NATIVE
#define IN_ORDER .order = STAR_ORDER_NATIVE, .in_order = true

MOCKUP(alltoall, alltoallv, STAR_ALLTOALL, STAR_MOCKUP_ALLTOALL_ALLTOALLV, "alltoallv", NULL,
       LIKE(alltoall_linear), MOCKED)

MOCKUP(allgather, gather_bcast, STAR_ALLGATHER, STAR_MOCKUP_ALLGATHER_GATHER_BCAST, "gather, then bcast",
       NULL, LIKE(allgather_gather_bcast), MOCKED)
MOCKUP(allgather, alltoall, STAR_ALLGATHER, STAR_MOCKUP_ALLGATHER_ALLTOALL,
       "alltoall of the block, one copy for each rank,", NULL, LIKE(allgather_simple), MOCKED)
MOCKUP(allgather, allreduce, STAR_ALLGATHER, STAR_MOCKUP_ALLGATHER_ALLREDUCE,
       "allreduce by bitwise or, all other blocks zero,", NULL, LIKE_ALL(allreduce_rab1), MOCKED)
MOCKUP(allgather, allgatherv, STAR_ALLGATHER, STAR_MOCKUP_ALLGATHER_ALLGATHERV, "allgatherv", NULL,
       LIKE(allgather_ring), MOCKED)

MOCKUP(allreduce, reduce_bcast, STAR_ALLREDUCE, STAR_MOCKUP_ALLREDUCE_REDUCE_BCAST, "reduce, then bcast",
       NULL, LIKE(allreduce_reduce_bcast), IN_ORDER)
MOCKUP(allreduce, reduce_scatter_block_allgather, STAR_ALLREDUCE,
       STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_BLOCK_ALLGATHER, "reduce_scatter_block, then allgather",
       "a multiple of P elements", LIKE(allreduce_rab1), REDUCED)
MOCKUP(allreduce, reduce_scatter_allgatherv, STAR_ALLREDUCE, STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_ALLGATHERV,
       "reduce_scatter, then allgatherv", NULL, LIKE(allreduce_rab1), REDUCED)

MOCKUP(bcast, scatter_allgather, STAR_BCAST, STAR_MOCKUP_BCAST_SCATTER_ALLGATHER, "scatter, then allgather",
       NULL, LIKE(bcast_scatter_ring_allgather), MOCKED)
MOCKUP(bcast, allgatherv, STAR_BCAST, STAR_MOCKUP_BCAST_ALLGATHERV,
       "allgatherv, to which the root alone contributes,", NULL, LIKE(bcast_chain), MOCKED)

MOCKUP(reduce, allreduce, STAR_REDUCE, STAR_MOCKUP_REDUCE_ALLREDUCE, "allreduce", NULL, LIKE(allreduce_rdb),
       IN_ORDER)
MOCKUP(reduce, reduce_scatter_gatherv, STAR_REDUCE, STAR_MOCKUP_REDUCE_REDUCE_SCATTER_GATHERV,
       "reduce_scatter, then gatherv", NULL, LIKE(reduce_reduce_scatter_gather), REDUCED)

MOCKUP(reduce_scatter_block, reduce_then_scatter, STAR_REDUCE_SCATTER_BLOCK,
       STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_THEN_SCATTER, "reduce, then scatter", "MPI's own operators",
       LIKE_ALL(reduce_binomial), IN_ORDER)
MOCKUP(reduce_scatter_block, reduce_scatter, STAR_REDUCE_SCATTER_BLOCK,
       STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_SCATTER, "reduce_scatter", NULL,
       LIKE(reduce_scatter_block_halving), REDUCED)
MOCKUP(reduce_scatter_block, allreduce, STAR_REDUCE_SCATTER_BLOCK, STAR_MOCKUP_REDUCE_SCATTER_BLOCK_ALLREDUCE,
       "allreduce", "MPI's own operators", LIKE_ALL(allreduce_rab1), IN_ORDER)

MOCKUP(gather, allgather, STAR_GATHER, STAR_MOCKUP_GATHER_ALLGATHER, "allgather", NULL, LIKE(allgather_ring),
       MOCKED)
MOCKUP(gather, gatherv, STAR_GATHER, STAR_MOCKUP_GATHER_GATHERV, "gatherv", NULL, LIKE(gather_linear), MOCKED,
       .one_way = true)

MOCKUP(scatter, bcast, STAR_SCATTER, STAR_MOCKUP_SCATTER_BCAST, "bcast of all blocks", NULL,
       LIKE_ALL(bcast_binomial), MOCKED)
MOCKUP(scatter, scatterv, STAR_SCATTER, STAR_MOCKUP_SCATTER_SCATTERV, "scatterv", NULL, LIKE(scatter_linear),
       MOCKED, .one_way = true)

MOCKUP(scan, exscan, STAR_SCAN, STAR_MOCKUP_SCAN_EXSCAN, "exscan, then reduce_local", NULL,
       LIKE(scan_recursive_doubling), IN_ORDER)
