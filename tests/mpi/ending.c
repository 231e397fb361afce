/* SPDX-License-Identifier: BSD-3-Clause
 * A program that ends before its time: ending abort|abort-one|exit|exit-one|normal. */
#include "program.h"

#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "normal";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 0; round < 25; round++) /* in the middle of tuning */
        exchange("before the end", comm, 4, 0, round);
    if (strcmp(how, "abort") == 0 || (strcmp(how, "abort-one") == 0 && rank == 1))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "exit") == 0 || (strcmp(how, "exit-one") == 0 && rank == 1))
        exit(3);
    for (int round = 0; round < 25; round++)
        exchange("before the end", comm, 4, 0, round);
    return finish(); /* leaves its communicator behind */
}
