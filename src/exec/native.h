/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI library's own functions, where startune's stand in front of them under both of their names: calling
 * MPI_X or PMPI_X would come back to startune. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#if MPI_VERSION >= 4
#define STAR_NATIVE_SESSIONS(X) X(Session_init) X(Session_finalize) X(Comm_create_from_group)
#else
#define STAR_NATIVE_SESSIONS(X)
#endif

/* Simulated ranks have neither. */
#if defined STAR_SIMULATED
#define STAR_NATIVE_IDUPS(X)
#elif MPI_VERSION >= 4
#define STAR_NATIVE_IDUPS(X) X(Comm_idup) X(Comm_idup_with_info)
#else
#define STAR_NATIVE_IDUPS(X) X(Comm_idup)
#endif

/* What else is made of a communicator; simulated ranks have not all of it. */
#if defined STAR_SIMULATED
#define STAR_NATIVE_MAKERS(X)
#else
#define STAR_NATIVE_MAKERS(X)                                                                                \
    X(Win_create)                                                                                            \
    X(Win_allocate)                                                                                          \
    X(Win_allocate_shared)                                                                                   \
    X(Win_create_dynamic)                                                                                    \
    X(File_open)                                                                                             \
    X(Intercomm_create)                                                                                      \
    X(Comm_accept)                                                                                           \
    X(Comm_connect)                                                                                          \
    X(Comm_spawn)                                                                                            \
    X(Comm_spawn_multiple)                                                                                   \
    STAR_NATIVE_LARGE_WINDOWS(X)
#endif
#if MPI_VERSION >= 4
#define STAR_NATIVE_LARGE_WINDOWS(X) X(Win_create_c) X(Win_allocate_c) X(Win_allocate_shared_c)
#else
#define STAR_NATIVE_LARGE_WINDOWS(X)
#endif

/* Collectives that only begin, and what waits for requests. */
#if MPI_VERSION >= 4
#define STAR_NATIVE_LARGE(X)                                                                                 \
    X(Ialltoall_c)                                                                                           \
    X(Iallgather_c)                                                                                          \
    X(Iallgatherv_c)                                                                                         \
    X(Ireduce_scatter_c)                                                                                     \
    X(Iallreduce_c)                                                                                          \
    X(Ibcast_c)                                                                                              \
    X(Ireduce_c)                                                                                             \
    X(Ireduce_scatter_block_c)                                                                               \
    X(Igather_c)                                                                                             \
    X(Iscatter_c)                                                                                            \
    X(Iscan_c)                                                                                               \
    X(Ialltoallv_c)                                                                                          \
    X(Ialltoallw_c)                                                                                          \
    X(Igatherv_c)                                                                                            \
    X(Iscatterv_c)                                                                                           \
    X(Iexscan_c)
#else
#define STAR_NATIVE_LARGE(X)
#endif
#define STAR_NATIVE_NONBLOCKING(X)                                                                           \
    X(Ialltoall)                                                                                             \
    X(Iallgather)                                                                                            \
    X(Iallgatherv)                                                                                           \
    X(Ireduce_scatter)                                                                                       \
    X(Iallreduce)                                                                                            \
    X(Ibcast)                                                                                                \
    X(Ireduce)                                                                                               \
    X(Ireduce_scatter_block)                                                                                 \
    X(Igather)                                                                                               \
    X(Iscatter)                                                                                              \
    X(Iscan)                                                                                                 \
    X(Ialltoallv)                                                                                            \
    X(Ialltoallw)                                                                                            \
    X(Igatherv)                                                                                              \
    X(Iscatterv)                                                                                             \
    X(Iexscan)                                                                                               \
    X(Ibarrier)                                                                                              \
    STAR_NATIVE_LARGE(X)                                                                                     \
    X(Wait)                                                                                                  \
    X(Waitall)                                                                                               \
    X(Waitany)                                                                                               \
    X(Waitsome)                                                                                              \
    X(Test)                                                                                                  \
    X(Testall)                                                                                               \
    X(Testany)                                                                                               \
    X(Testsome)                                                                                              \
    X(Request_get_status)                                                                                    \
    X(Request_free)                                                                                          \
    X(Start)                                                                                                 \
    X(Startall)                                                                                              \
    STAR_NATIVE_STATUSES(X)                                                                                  \
    STAR_NATIVE_PERSISTENT(X)

/* Persistent collectives. */
#if MPI_VERSION >= 4
#define STAR_NATIVE_PERSISTENT(X)                                                                            \
    X(Alltoall_init)                                                                                         \
    X(Allgather_init)                                                                                        \
    X(Allgatherv_init)                                                                                       \
    X(Allreduce_init)                                                                                        \
    X(Bcast_init)                                                                                            \
    X(Reduce_init)                                                                                           \
    X(Reduce_scatter_block_init)                                                                             \
    X(Reduce_scatter_init)                                                                                   \
    X(Gather_init)                                                                                           \
    X(Scatter_init)                                                                                          \
    X(Scan_init)                                                                                             \
    X(Exscan_init)                                                                                           \
    X(Barrier_init)                                                                                          \
    X(Alltoall_init_c)                                                                                       \
    X(Allgather_init_c)                                                                                      \
    X(Allgatherv_init_c)                                                                                     \
    X(Allreduce_init_c)                                                                                      \
    X(Bcast_init_c)                                                                                          \
    X(Reduce_init_c)                                                                                         \
    X(Reduce_scatter_block_init_c)                                                                           \
    X(Reduce_scatter_init_c)                                                                                 \
    X(Gather_init_c)                                                                                         \
    X(Scatter_init_c)                                                                                        \
    X(Scan_init_c)                                                                                           \
    X(Alltoallv_init)                                                                                        \
    X(Alltoallw_init)                                                                                        \
    X(Gatherv_init)                                                                                          \
    X(Scatterv_init)                                                                                         \
    X(Alltoallv_init_c)                                                                                      \
    X(Alltoallw_init_c)                                                                                      \
    X(Gatherv_init_c)                                                                                        \
    X(Scatterv_init_c)                                                                                       \
    X(Exscan_init_c)
#else
#define STAR_NATIVE_PERSISTENT(X)
#endif

/* What asks for several requests. */
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define STAR_NATIVE_STATUSES(X) X(Request_get_status_all) X(Request_get_status_any) X(Request_get_status_some)
#else
#define STAR_NATIVE_STATUSES(X)
#endif

/* Those that startune stands in front of, and that are no operations. */
#define STAR_NATIVE_OTHERS(X)                                                                                \
    X(Init)                                                                                                  \
    X(Init_thread)                                                                                           \
    X(Finalize)                                                                                              \
    X(Pcontrol)                                                                                              \
    X(Comm_free)                                                                                             \
    X(Comm_disconnect)                                                                                       \
    X(Op_free)                                                                                               \
    X(Type_free)                                                                                             \
    X(Comm_dup)                                                                                              \
    X(Comm_dup_with_info)                                                                                    \
    X(Comm_create)                                                                                           \
    X(Comm_create_group)                                                                                     \
    X(Comm_split)                                                                                            \
    X(Comm_split_type)                                                                                       \
    X(Cart_create)                                                                                           \
    X(Cart_sub)                                                                                              \
    X(Graph_create)                                                                                          \
    X(Dist_graph_create)                                                                                     \
    X(Dist_graph_create_adjacent)                                                                            \
    STAR_NATIVE_IDUPS(X)                                                                                     \
    STAR_NATIVE_MAKERS(X)                                                                                    \
    STAR_NATIVE_NONBLOCKING(X)                                                                               \
    STAR_NATIVE_SESSIONS(X)

struct star_native_table {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): NAME is declared */
#define STAR_FIELD(name)         __typeof__(PMPI_##name) *name;
#define STAR_FUNCTION(name, ...) STAR_FIELD(name)
#include "plan/functions.def"
    STAR_NATIVE_OTHERS(STAR_FIELD)
#undef STAR_FUNCTION
#undef STAR_FIELD
};
extern struct star_native_table star_native; /* filled when the library is loaded */

/* Fills it where it is not: constructors of the program's libraries, which may call MPI_Init, run before
 * those of what is preloaded. */
void star_native_find(void);
