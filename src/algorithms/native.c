/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI library's own routines: rows like all others, and the first of each operation. */
#include "algorithms/method.h"

#define NATIVE(which, constant, ordering)                                                                    \
    const struct star_algorithm star_##which##_native = {                                                    \
        .operation = (constant),                                                                             \
        .name = "native",                                                                                    \
        .moves = "the MPI library's own routine",                                                            \
        .optimises = "native",                                                                               \
        .cost = "the MPI library's",                                                                         \
        .source = "the MPI library",                                                                         \
        .in_order = true,                                                                                    \
        .order = (ordering),                                                                                 \
    };

NATIVE(alltoall, STAR_ALLTOALL, STAR_ORDER_NONE)
NATIVE(alltoallv, STAR_ALLTOALLV, STAR_ORDER_NONE)
NATIVE(alltoallw, STAR_ALLTOALLW, STAR_ORDER_NONE)
NATIVE(allgather, STAR_ALLGATHER, STAR_ORDER_NONE)
NATIVE(allgatherv, STAR_ALLGATHERV, STAR_ORDER_NONE)
NATIVE(allreduce, STAR_ALLREDUCE, STAR_ORDER_NATIVE)
NATIVE(bcast, STAR_BCAST, STAR_ORDER_NONE)
NATIVE(reduce, STAR_REDUCE, STAR_ORDER_NATIVE)
NATIVE(reduce_scatter_block, STAR_REDUCE_SCATTER_BLOCK, STAR_ORDER_NATIVE)
NATIVE(reduce_scatter, STAR_REDUCE_SCATTER, STAR_ORDER_NATIVE)
NATIVE(gather, STAR_GATHER, STAR_ORDER_NONE)
NATIVE(gatherv, STAR_GATHERV, STAR_ORDER_NONE)
NATIVE(scatter, STAR_SCATTER, STAR_ORDER_NONE)
NATIVE(scatterv, STAR_SCATTERV, STAR_ORDER_NONE)
NATIVE(scan, STAR_SCAN, STAR_ORDER_NATIVE)
NATIVE(exscan, STAR_EXSCAN, STAR_ORDER_NATIVE)
NATIVE(barrier, STAR_BARRIER, STAR_ORDER_NONE)
