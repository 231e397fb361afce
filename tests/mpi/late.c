/* SPDX-License-Identifier: BSD-3-Clause
 * One rank comes SECONDS after the others to a reduction: late SECONDS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        sleep(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
