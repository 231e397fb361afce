/* SPDX-License-Identifier: BSD-3-Clause
 * startune: MPI communication that tunes itself.
 *
 * A program linked with libstartune-openmpi or libstartune-mpich, or run with `startune run`, has its
 * collective operations tuned where the environment says STARTUNE=on. The functions STAR_X below are tuned
 * without that: a program that calls STAR_Alltoall has those calls tuned, and no others.
 *
 * Link startune before the MPI library, whose functions it takes over: `mpicc program.c -lstartune-openmpi`
 * does, and so does pkg-config. A program that is linked the other way round ends at its start, with a line
 * that says so. Other tools that take over MPI's functions see the program's calls, whether they are linked,
 * or named in LD_PRELOAD, before startune or behind it, and startune those that they pass on by the name
 * PMPI_X.
 *
 * Programs that begin with MPI_Session_init and never call MPI_Init are the MPI library's alone.
 */
#ifndef STARTUNE_H
#define STARTUNE_H

#include "startune_patterns.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: of the program that is compiled. A program may be linked with any library of
 * the same major version that is as new or newer: no function is taken away or changes its meaning within
 * one. */
#define STARTUNE_VERSION_MAJOR 0
#define STARTUNE_VERSION_MINOR 1
#define STARTUNE_VERSION_PATCH 0
#define STARTUNE_VERSION_NUM                                                                                 \
    (STARTUNE_VERSION_MAJOR * 10000 + STARTUNE_VERSION_MINOR * 100 + STARTUNE_VERSION_PATCH)

/* The version of the library that is loaded, such as "0.1.0". Local; any thread, at any time. The text is
 * never freed. No errors. */
const char *STAR_Get_version(void);

/* 1 while calls of MPI_X are tuned, 0 while they go to the MPI library untouched; it says nothing of STAR_X.
 * Local; the same on all ranks. */
int STAR_Is_active(void);

/* startune's settings and counters on this rank, in *INFO, which is to be freed. Local; between MPI_Init and
 * MPI_Finalize, while no other thread communicates. An MPI error code.
 *
 * Each setting has its name as key, and its value in force as `startune settings` prints it, cut off where
 * MPI_MAX_INFO_VAL ends; those without a value are not there, and none are before startune has begun.
 * `version` is STAR_Get_version's. The counters, since the program began: now.active STAR_Is_active
 *   now.communicators      tuned ones that live
 *   now.contexts           what is tuned separately, also on communicators that were freed
 *   now.calls              of contexts; now.timed_calls of them were timed, now.tuning_calls of methods that
 *                          were being measured
 *   now.agreements         how often ranks agreed
 *   now.seconds            in timed calls
 *   now.agreement_seconds  in agreeing and building plans
 *
 * This stands in MPI_T's place: its variables have numbers of the MPI library's own, and a library in front
 * of it could add some only by taking over all of MPI_T, handles, sessions and categories too. */
int STAR_Info_get(MPI_Info *info);

/* As MPI_X: the same arguments, results and errors, collective in the same way. They are tuned with the
 * settings of the environment where STARTUNE=on, with the preset ones and without a summary where STARTUNE is
 * not set, and are the MPI library's own where STARTUNE=off. With STARTUNE=on and STARTUNE_NAMED=on they
 * alone are tuned. All ranks of a call must call it by this name. */
int STAR_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Alltoallv(const void *sendbuf, const int sendcounts[], const int senddispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm);
int STAR_Alltoallw(const void *sendbuf, const int sendcounts[], const int senddispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int recvdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int STAR_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm);
int STAR_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int STAR_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm);
int STAR_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm);
int STAR_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm);
int STAR_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm);
int STAR_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm);
int STAR_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm);
int STAR_Scatterv(const void *sendbuf, const int sendcounts[], const int senddispls[], MPI_Datatype sendtype,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int STAR_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int STAR_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm);
int STAR_Barrier(MPI_Comm comm);
#if MPI_VERSION >= 4
int STAR_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint senddispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint recvdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint senddispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint recvdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int STAR_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const MPI_Count recvcounts[], const MPI_Aint recvdispls[], MPI_Datatype recvtype,
                      MPI_Comm comm);
int STAR_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm);
int STAR_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
int STAR_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm);
int STAR_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm);
int STAR_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int STAR_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int STAR_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint recvdispls[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm);
int STAR_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int STAR_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint senddispls[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);
int STAR_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm);
int STAR_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm);
#endif

#ifdef __cplusplus
}
#endif

#endif
