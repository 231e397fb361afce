/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's requests for MPI's operations, from MPI's own arguments. In place: by a vector map instead. */
#include "fortran/fortran.h"

static void reduce_init(void *sendbuf, void *recvbuf, const int *count, const int *datatype, const int *op,
                        const int *root, const int *comm, int *request, int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error = STAR_Reduce_init(sendbuf, recvbuf, *count, star_fortran_datatype(*datatype),
                                 star_fortran_op(*op), *root, star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(reduce_init, reduce_init, REDUCE_INIT)

static void allreduce_init(void *sendbuf, void *recvbuf, const int *count, const int *datatype, const int *op,
                           const int *comm, int *request, int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error = STAR_Allreduce_init(sendbuf, recvbuf, *count, star_fortran_datatype(*datatype),
                                    star_fortran_op(*op), star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(allreduce_init, allreduce_init, ALLREDUCE_INIT)

static void alltoall_init(void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                          const int *recvcount, const int *recvtype, const int *comm, int *request,
                          int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error = STAR_Alltoall_init(sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf, *recvcount,
                                   star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(alltoall_init, alltoall_init, ALLTOALL_INIT)

static void alltoallv_init(void *sendbuf, const int *sendcounts, const int *senddispls, const int *sendtype,
                           void *recvbuf, const int *recvcounts, const int *recvdispls, const int *recvtype,
                           const int *comm, int *request, int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error = STAR_Alltoallv_init(sendbuf, sendcounts, senddispls, star_fortran_datatype(*sendtype),
                                    recvbuf, recvcounts, recvdispls, star_fortran_datatype(*recvtype),
                                    star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(alltoallv_init, alltoallv_init, ALLTOALLV_INIT)

static void allgatherv_init(void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                            const int *recvcounts, const int *recvdispls, const int *recvtype,
                            const int *comm, int *request, int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error =
        STAR_Allgatherv_init(sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf, recvcounts,
                             recvdispls, star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(allgatherv_init, allgatherv_init, ALLGATHERV_INIT)

static void ibcast_init(void *buffer, const int *count, const int *datatype, const int *root, const int *comm,
                        int *request, int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error = STAR_Ibcast_init(buffer, *count, star_fortran_datatype(*datatype), *root,
                                 star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(ibcast_init, ibcast_init, IBCAST_INIT)

static void ialltoall_init(void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                           const int *recvcount, const int *recvtype, const int *comm, int *request,
                           int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error =
        STAR_Ialltoall_init(sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf, *recvcount,
                            star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(ialltoall_init, ialltoall_init, IALLTOALL_INIT)

static void iallgather_init(void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                            const int *recvcount, const int *recvtype, const int *comm, int *request,
                            int *ierror)
{
    STAR_Request made = STAR_REQUEST_NULL;
    int error =
        STAR_Iallgather_init(sendbuf, *sendcount, star_fortran_datatype(*sendtype), recvbuf, *recvcount,
                             star_fortran_datatype(*recvtype), star_fortran_comm(*comm), &made);
    star_fortran_made(ierror, error, request, made);
}
STAR_FORTRAN_ADCL(iallgather_init, iallgather_init, IALLGATHER_INIT)
