/* SPDX-License-Identifier: BSD-3-Clause
 * Prints startune's version, and the sum of 1 on each rank. */
#include <mpi.h>
#include <startune.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int one = 1, sum, rank;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%s %d\n", STAR_Get_version(), sum);
    return MPI_Finalize();
}
