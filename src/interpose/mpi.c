/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions that startune takes over: straight into the runtime, or straight to the MPI library. */
#include "runtime/runtime.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int MPI_Init(int *argc, char ***argv)
{
    int error = PMPI_Init(argc, argv);
    if (error == MPI_SUCCESS)
        star_start();
    return error;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int error = PMPI_Init_thread(argc, argv, required, provided);
    if (error == MPI_SUCCESS)
        star_start();
    return error;
}

EXPORT int MPI_Finalize(void)
{
    star_finish();
    return PMPI_Finalize();
}

EXPORT int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct star_communicator *state = NULL;
    int error = star_active ? star_communicator_of(comm, &state) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;
    if (state == NULL)
        return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct star_call call = {.operation = STAR_ALLTOALL,
                             .sendbuf = sendbuf,
                             .sendcount = sendcount,
                             .sendtype = sendtype,
                             .recvbuf = recvbuf,
                             .recvcount = recvcount,
                             .recvtype = recvtype,
                             .comm = comm,
                             .site = __builtin_return_address(0)};
    return star_dispatch(&call, state);
}
