/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI library's own functions, where startune's stand in front of them under both of their names: calling
 * MPI_X or PMPI_X would come back to startune. */
#ifndef STAR_PLAN_NATIVE_H
#define STAR_PLAN_NATIVE_H

#include <mpi.h>

#define STAR_NATIVE_EACH(X)                                                                                  \
    X(Alltoall)                                                                                              \
    X(Alltoallv)                                                                                             \
    X(Allgather)                                                                                             \
    X(Allgatherv)                                                                                            \
    X(Allreduce)                                                                                             \
    X(Bcast)                                                                                                 \
    X(Reduce)                                                                                                \
    X(Reduce_scatter_block)                                                                                  \
    X(Reduce_scatter)                                                                                        \
    X(Gather)                                                                                                \
    X(Gatherv)                                                                                               \
    X(Scatter)                                                                                               \
    X(Scatterv)                                                                                              \
    X(Scan)                                                                                                  \
    X(Exscan)                                                                                                \
    X(Barrier)                                                                                               \
    X(Init)                                                                                                  \
    X(Init_thread)                                                                                           \
    X(Finalize)                                                                                              \
    X(Pcontrol)

#if MPI_VERSION >= 4
#define STAR_NATIVE_EACH_LARGE(X)                                                                            \
    X(Alltoall_c)                                                                                            \
    X(Alltoallv_c)                                                                                           \
    X(Allgather_c)                                                                                           \
    X(Allgatherv_c)                                                                                          \
    X(Allreduce_c)                                                                                           \
    X(Bcast_c)                                                                                               \
    X(Reduce_c)                                                                                              \
    X(Reduce_scatter_block_c)                                                                                \
    X(Reduce_scatter_c)                                                                                      \
    X(Gather_c)                                                                                              \
    X(Gatherv_c)                                                                                             \
    X(Scatter_c)                                                                                             \
    X(Scatterv_c)                                                                                            \
    X(Scan_c)                                                                                                \
    X(Exscan_c)
#else
#define STAR_NATIVE_EACH_LARGE(X)
#endif

struct star_native_table {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): NAME is declared */
#define STAR_FIELD(name) __typeof__(PMPI_##name) *name;
    STAR_NATIVE_EACH(STAR_FIELD)
    STAR_NATIVE_EACH_LARGE(STAR_FIELD)
#undef STAR_FIELD
};
extern struct star_native_table star_native; /* filled when the library is loaded */

#endif
