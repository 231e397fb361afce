/* SPDX-License-Identifier: BSD-3-Clause
 * Blocking operations on a communicator while MPI_Comm_idup makes copies of it in the background. Nothing in
 * the program is nonblocking but that: Open MPI cannot tell nonblocking operations on it from its own. */
#include <mpi.h>
#include <stdio.h>

static int failures;

static void use(MPI_Comm comm, int round)
{
    int rank, size, mine, sum = -1, told;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    mine = rank + round;
    told = rank == round % size ? round : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&told, 1, MPI_INT, round % size, comm);
    if (sum != size * (size - 1) / 2 + size * round || told != round)
        failures++;
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 100 };
    MPI_Init(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm copy, twin, other;
        MPI_Request request[2];
        MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request[0]);
        use(MPI_COMM_WORLD, round);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        use(copy, round);
        MPI_Comm_idup(MPI_COMM_WORLD, &other, &request[0]);
        MPI_Comm_idup(copy, &twin, &request[1]);
        use(copy, round + 1);
        use(MPI_COMM_WORLD, round + 1);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        MPI_Comm_free(&twin);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Comm_free(&other);
        MPI_Comm_free(&copy);
    }
    if (failures)
        fprintf(stderr, "%d wrong results\n", failures);
    MPI_Finalize();
    return failures != 0;
}
