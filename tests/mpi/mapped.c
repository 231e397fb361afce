/* SPDX-License-Identifier: BSD-3-Clause
 * mapped BYTES…: an alltoall of each of these sizes, twice; prints how many messages rank 0 sent in the
 * second one by MPI_Isend, which the MPI library's own routine does not call. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int messages;

__attribute__((visibility("default"))) int PMPI_Isend(const void *buffer, int count, MPI_Datatype type,
                                                      int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (next == NULL)
        *(void **)(void *)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    messages++;
    return next(buffer, count, type, to, tag, comm, request);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        int bytes = atoi(argv[i]);
        char *out = calloc((size_t)bytes, (size_t)ranks), *in = calloc((size_t)bytes, (size_t)ranks);
        for (int call = 0; call < 2; call++) {
            messages = 0;
            MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
        }
        if (rank == 0)
            printf("%d bytes: %d messages\n", bytes, messages);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
