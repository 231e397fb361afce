/* SPDX-License-Identifier: BSD-3-Clause
 * A program that switches tuning off and on: pause RANK OFF ON CALLS. RANK (-1: all) calls MPI_Pcontrol(0)
 * before call OFF and MPI_Pcontrol(1) before call ON. */
#include "program.h"

static void sum(MPI_Comm comm, int round)
{
    int size, rank, mine[5], all[5];
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 5; i++)
        mine[i] = rank * (i + 1) + round;
    MPI_Allreduce(mine, all, 5, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < 5; i++)
        if (all[i] != size * (size - 1) / 2 * (i + 1) + size * round)
            failed("a sum is wrong", comm, (int)sizeof mine);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int who = atoi(argv[1]), off = atoi(argv[2]), on = atoi(argv[3]), calls = atoi(argv[4]);
    for (int i = 0; i < calls; i++) {
        if (i == off && (who < 0 || who == rank))
            MPI_Pcontrol(0);
        if (i == on && (who < 0 || who == rank))
            MPI_Pcontrol(1);
        exchange("paused", MPI_COMM_WORLD, 4, 0, i);
        sum(MPI_COMM_WORLD, i);
    }
    return finish();
}
