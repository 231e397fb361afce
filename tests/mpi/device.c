/* SPDX-License-Identifier: BSD-3-Clause
 * The device's memory is the host's, but protected: whoever touches it dies. It is open inside of the MPI
 * library's collective operations and of MPI_Sendrecv, which an MPI library that knows devices can do. */
#include "device.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

int MPIX_Query_cuda_support(void);

static char *memory;
static int opened;

__attribute__((constructor)) static void begin(void)
{
    memory = mmap(NULL, DEVICE_MOST, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
}

void *device_memory(void)
{
    return memory;
}

void device_open(bool open)
{
    opened += open ? 1 : -1;
    if (opened == open && mprotect(memory, DEVICE_MOST, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
        abort();
}

int MPIX_Query_cuda_support(void)
{
    return 1;
}

/* The MPI library's NAME, which may touch the memory; whoever calls it by which of its names. */
#define STAR_FUNCTION(name, parameters, arguments, ...)                                                      \
    int PMPI_##name parameters                                                                               \
    {                                                                                                        \
        static __typeof__(PMPI_##name) *next;                                                                \
        if (next == NULL)                                                                                    \
            *(void **)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                               \
        device_open(true);                                                                                   \
        int error = next arguments;                                                                          \
        device_open(false);                                                                                  \
        return error;                                                                                        \
    }                                                                                                        \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        return PMPI_##name arguments;                                                                        \
    }
#include "plan/functions.def"
STAR_FUNCTION(Sendrecv,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
               void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
               MPI_Status *status),
              (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
               comm, status),
              0)

/* Waits, so that the memory is open while it is needed. */
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
{
    static __typeof__(PMPI_Allreduce) *next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    *request = MPI_REQUEST_NULL;
    device_open(true);
    int error = next(sendbuf, recvbuf, count, type, op, comm);
    device_open(false);
    return error;
}
int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    return PMPI_Iallreduce(sendbuf, recvbuf, count, type, op, comm, request);
}
