/* SPDX-License-Identifier: BSD-3-Clause
 * startune: MPI communication that tunes itself.
 *
 * A program linked with libstartune-openmpi or libstartune-mpich, or run with `startune run`, has its
 * collective operations tuned where the environment says STARTUNE=on. The functions STAR_X below are tuned
 * without that: a program that calls STAR_Alltoall has those calls tuned, and no others.
 *
 * Link startune before the MPI library, whose functions it takes over: `mpicc program.c -lstartune-openmpi`
 * does, and so does pkg-config. A program that is linked the other way round ends at its start, with a line
 * that says so. Other tools that take over MPI's functions are linked, or named in LD_PRELOAD, before
 * startune: they see the program's calls, and startune those that they pass on by the name PMPI_X.
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

/* The library's version, such as "0.1.0". Local; may be called at any time. The text is never freed. */
const char *STAR_Get_version(void);

/* 1 while calls of MPI_X are tuned, 0 while they go to the MPI library untouched; it says nothing of STAR_X.
 * Local; the same on all ranks. */
int STAR_Is_active(void);

/* As MPI_X: the same arguments, results and errors, collective in the same way. They are tuned with the
 * settings of the environment where STARTUNE=on, with the preset ones and without a summary where STARTUNE is
 * not set, and are the MPI library's own where STARTUNE=off. With STARTUNE=on and STARTUNE_NAMED=on they
 * alone are tuned. All ranks of a call must call it by this name. */
int STAR_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm);
int STAR_Alltoallv(const void *sendbuf, const int sendcounts[], const int senddispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm);
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
