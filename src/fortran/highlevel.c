/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's requests for MPI's operations, from MPI's own arguments. In place: by a vector map instead. */
#include "fortran/fortran.h"

STAR_FORTRAN_MAKE(reduce_init, STAR_Request,
                  (void *sendbuf, void *recvbuf, const int *count, const int *datatype, const int *op,
                   const int *root, const int *comm, int *request, int *ierror),
                  request, Reduce_init, sendbuf, recvbuf, *count, star_fortran_datatype(*datatype),
                  star_fortran_op(*op), *root, star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(reduce_init, reduce_init, REDUCE_INIT)

STAR_FORTRAN_MAKE(allreduce_init, STAR_Request,
                  (void *sendbuf, void *recvbuf, const int *count, const int *datatype, const int *op,
                   const int *comm, int *request, int *ierror),
                  request, Allreduce_init, sendbuf, recvbuf, *count, star_fortran_datatype(*datatype),
                  star_fortran_op(*op), star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(allreduce_init, allreduce_init, ALLREDUCE_INIT)

STAR_FORTRAN_MAKE(alltoall_init, STAR_Request,
                  (void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                   const int *recvcount, const int *recvtype, const int *comm, int *request, int *ierror),
                  request, Alltoall_init, sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf,
                  *recvcount, star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(alltoall_init, alltoall_init, ALLTOALL_INIT)

STAR_FORTRAN_MAKE(alltoallv_init, STAR_Request,
                  (void *sendbuf, const int *sendcounts, const int *senddispls, const int *sendtype,
                   void *recvbuf, const int *recvcounts, const int *recvdispls, const int *recvtype,
                   const int *comm, int *request, int *ierror),
                  request, Alltoallv_init, sendbuf, sendcounts, senddispls, star_fortran_datatype(*sendtype),
                  recvbuf, recvcounts, recvdispls, star_fortran_datatype(*recvtype), star_fortran_comm(*comm),
                  &made)
STAR_FORTRAN_ADCL(alltoallv_init, alltoallv_init, ALLTOALLV_INIT)

STAR_FORTRAN_MAKE(allgatherv_init, STAR_Request,
                  (void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                   const int *recvcounts, const int *recvdispls, const int *recvtype, const int *comm,
                   int *request, int *ierror),
                  request, Allgatherv_init, sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf,
                  recvcounts, recvdispls, star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(allgatherv_init, allgatherv_init, ALLGATHERV_INIT)

STAR_FORTRAN_MAKE(ibcast_init, STAR_Request,
                  (void *buffer, const int *count, const int *datatype, const int *root, const int *comm,
                   int *request, int *ierror),
                  request, Ibcast_init, buffer, *count, star_fortran_datatype(*datatype), *root,
                  star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(ibcast_init, ibcast_init, IBCAST_INIT)

STAR_FORTRAN_MAKE(ialltoall_init, STAR_Request,
                  (void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                   const int *recvcount, const int *recvtype, const int *comm, int *request, int *ierror),
                  request, Ialltoall_init, sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf,
                  *recvcount, star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(ialltoall_init, ialltoall_init, IALLTOALL_INIT)

STAR_FORTRAN_MAKE(iallgather_init, STAR_Request,
                  (void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                   const int *recvcount, const int *recvtype, const int *comm, int *request, int *ierror),
                  request, Iallgather_init, sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf,
                  *recvcount, star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made)
STAR_FORTRAN_ADCL(iallgather_init, iallgather_init, IALLGATHER_INIT)
