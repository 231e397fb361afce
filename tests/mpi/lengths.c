/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that give different lengths: lengths OPERATION [CALLS]. After CALLS right ones, one is wrong, and
 * each rank says what MPI returned for it. What the MPI library reports must be reported, and nobody may
 * hang. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 10, SHORT = 1, RANKS_MOST = 16 };
static int rank, size, out[LONG * RANKS_MOST], in[LONG * RANKS_MOST];

/* RANK 0 gives ROOTS, the others OTHERS. */
static int call(const char *operation, int roots, int others)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int own = rank == 0 ? roots : others;
    if (strcmp(operation, "bcast") == 0)
        return MPI_Bcast(out, own, MPI_INT, 0, comm);
    if (strcmp(operation, "gather") == 0)
        return MPI_Gather(out, own, MPI_INT, in, roots, MPI_INT, 0, comm);
    if (strcmp(operation, "scatter") == 0)
        return MPI_Scatter(out, roots, MPI_INT, in, own, MPI_INT, 0, comm);
    if (strcmp(operation, "reduce") == 0)
        return MPI_Reduce(out, in, own, MPI_INT, MPI_SUM, 0, comm);
    if (strcmp(operation, "allreduce") == 0)
        return MPI_Allreduce(out, in, own, MPI_INT, MPI_SUM, comm);
    if (strcmp(operation, "allgather") == 0)
        return MPI_Allgather(out, own, MPI_INT, in, roots > others ? roots : others, MPI_INT, comm);
    if (strcmp(operation, "alltoall") == 0)
        return MPI_Alltoall(out, own, MPI_INT, in, own, MPI_INT, comm);
    MPI_Abort(comm, 2);
    return 0;
}

int main(int argc, char **argv)
{
    int error = MPI_SUCCESS, class = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int calls = argc > 2 ? atoi(argv[2]) : 0, shorter = argc > 3 ? atoi(argv[3]) : 0;
    for (int i = 0; i < calls; i++)
        call(argv[1], LONG, LONG);
    error = shorter == 0 ? call(argv[1], SHORT, LONG) : call(argv[1], LONG, SHORT);
    MPI_Error_class(error, &class);
    printf("rank %d: %s\n", rank, class == MPI_SUCCESS ? "no error" : "an error");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
