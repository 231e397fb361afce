/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded: tells on rank 0's standard error of each call by which startune waits for all ranks. Programs do
 * not call MPI by these names. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *name)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    if (rank != NULL && strcmp(rank, "0") == 0)
        fprintf(stderr, "told: %s\n", name);
}

#define TOLD(name, parameters, arguments)                                                                    \
    __attribute__((visibility("default"))) int PMPI_##name parameters                                        \
    {                                                                                                        \
        int(*real) parameters;                                                                               \
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_" #name);                                                   \
        tell(#name);                                                                                         \
        return real arguments;                                                                               \
    }

TOLD(Iallreduce,
     (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
      MPI_Request *request),
     (mine, all, count, type, op, comm, request))
TOLD(Ireduce,
     (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
      MPI_Request *request),
     (mine, all, count, type, op, root, comm, request))
TOLD(Ibcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
     (data, count, type, root, comm, request))
TOLD(Iallgather,
     (const void *mine, int count, MPI_Datatype type, void *all, int room, MPI_Datatype into, MPI_Comm comm,
      MPI_Request *request),
     (mine, count, type, all, room, into, comm, request))
TOLD(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
__attribute__((visibility("default"))) int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    int (*real)(MPI_Comm comm, MPI_Comm * made), size;
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Comm_dup");
    PMPI_Comm_size(comm, &size);
    if (size > 1)
        tell("Comm_dup");
    return real(comm, made);
}
TOLD(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
     (comm, type, key, info, made))
