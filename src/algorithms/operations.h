/* SPDX-License-Identifier: BSD-3-Clause
 * Operations: what each does. */
#pragma once

#include "plan/simulate.h"

enum star_operation {
    STAR_ALLTOALL,
    STAR_ALLTOALLV,
    STAR_ALLTOALLW,
    STAR_ALLGATHER,
    STAR_ALLGATHERV,
    STAR_ALLREDUCE,
    STAR_BCAST,
    STAR_REDUCE,
    STAR_REDUCE_SCATTER_BLOCK,
    STAR_REDUCE_SCATTER,
    STAR_GATHER,
    STAR_GATHERV,
    STAR_SCATTER,
    STAR_SCATTERV,
    STAR_SCAN,
    STAR_EXSCAN,
    STAR_BARRIER,
    STAR_OPERATIONS
};

/* What the bytes of an operation are, by which it is tuned. */
enum star_measure {
    STAR_OF_PAIR,   /* of the block that each rank has for each */
    STAR_OF_RANK,   /* of each rank's block */
    STAR_OF_VECTOR, /* of the vector */
    STAR_OF_ALL,    /* of all ranks' blocks together, where they differ */
    STAR_UNKNOWN,   /* no rank knows: each has counts of its own */
    STAR_NO_BYTES
};
extern const char *const star_measures[];

struct star_operation_info {
    const char *name; /* as in a method's spelling */
    const char *mpi;  /* the MPI function */
    enum star_measure measure;
    bool rooted;
    bool units; /* blocks differ in length: plans are in units */
    /* What the simulator must find. */
    struct star_expectation expected;
};
extern const struct star_operation_info star_operations[STAR_OPERATIONS];
/* Can no rank leave it before all have come? Else some may run ahead: a reduction's leaves, the first of a
 * scan, and in an alltoallw, which is there for what is sparse, whoever has no block from the others. */
bool star_operation_awaits_all(enum star_operation operation);
/* Of so many blocks a rank gives or gets the bytes that a call is told by: RANKS, where each rank has one. */
int64_t star_operation_blocks(enum star_operation operation, int64_t ranks);

/* In which order a method reduces. */
enum star_order {
    STAR_ORDER_NONE,  /* it does not reduce */
    STAR_ORDER_RANK,  /* r0 op (r1 op (r2 op …)), whatever the number of ranks and bytes */
    STAR_ORDER_FIXED, /* in an order of its own, the same in each call of its ranks, places and bytes */
    STAR_ORDER_NATIVE /* as the MPI library does */
};
extern const char *const star_orders[];
