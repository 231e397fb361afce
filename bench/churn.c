/* SPDX-License-Identifier: BSD-3-Clause
 * A program that makes a communicator for each small task: churn CALLS TASKS. Each is split off, used for
 * CALLS allreduces of 8 bytes, and freed. With CALLS 0 it does nothing but begin and end. bench/harm runs it.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, calls = argc > 1 ? atoi(argv[1]) : 0, tasks = argc > 2 ? atoi(argv[2]) : 0;
    double mine = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < tasks && calls > 0; i++) {
        MPI_Comm task;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &task);
        for (int j = 0; j < calls; j++)
            MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, task);
        MPI_Comm_free(&task);
    }
    MPI_Finalize();
    return 0;
}
