/* SPDX-License-Identifier: BSD-3-Clause
 * Long broadcasts and reductions to a root, and nothing else: rooted_alone [CALLS]. On communicators that are
 * freed soon, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTS = 40000, SOON = 12 };
static int from[INTS], to[INTS], rank, size, wrong;

static void broadcast(MPI_Comm comm, int seed)
{
    int root = seed % 2 % size;
    for (int i = 0; i < INTS; i += 997)
        to[i] = rank == root ? seed + i : -1;
    MPI_Bcast(to, INTS, MPI_INT, root, comm);
    for (int i = 0; i < INTS; i += 997)
        wrong += to[i] != seed + i;
}

static void reduce(MPI_Comm comm, int seed)
{
    for (int i = 0; i < INTS; i += 997)
        from[i] = seed + i + rank;
    MPI_Reduce(from, to, INTS, MPI_INT, MPI_SUM, 0, comm);
    for (int i = 0; rank == 0 && i < INTS; i += 997)
        wrong += to[i] != size * (seed + i) + size * (size - 1) / 2;
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 400, all = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int soon = 1; soon < SOON; soon++) { /* a talk may go on in it */
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < soon; i++)
            broadcast(comm, i);
        MPI_Comm_free(&comm);
    }
    for (int i = 0; i < calls; i++) {
        broadcast(MPI_COMM_WORLD, i);
        if (i % 3 == 0)
            reduce(MPI_COMM_WORLD, i);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}
