/* SPDX-License-Identifier: BSD-3-Clause
 * A mistake that MPI libraries let pass: longer OPERATION. On a communicator of the program's own, receivers
 * leave room for far more than is sent to them. Then all ranks add up. Each prints what it has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 8000, ROUNDS = 20, SUMS = 150, RANKS_MOST = 16 };

static int rank;
static char from[RANKS_MOST * ROOM], to[RANKS_MOST * ROOM];

static int exchange(const char *operation, MPI_Comm comm)
{
    int few = 8, mine = rank == 0 ? few : ROOM;
    if (strcmp(operation, "bcast") == 0)
        return MPI_Bcast(to, mine, MPI_BYTE, 0, comm);
    if (strcmp(operation, "scatter") == 0)
        return MPI_Scatter(from, few, MPI_BYTE, to, mine, MPI_BYTE, 0, comm);
    return MPI_Gather(from, few, MPI_BYTE, to, rank == 0 ? ROOM : few, MPI_BYTE, 0, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm own;
    int errors = 0;
    double sum = 0, mine, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    for (int i = 0; i < ROUNDS; i++)
        errors += exchange(argc > 1 ? argv[1] : "bcast", own) != MPI_SUCCESS;
    for (int i = 0; i < SUMS; i++) {
        mine = rank + i;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, own);
        sum += all;
    }
    printf("rank %d: %d errors, %.0f\n", rank, errors, sum);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
