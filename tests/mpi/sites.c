/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: sites same|root|upper. All ranks call from the same two places; or the root from one branch and
 * the others from another, from the first call on; or so on a communicator without rank 0 of the world. */
#include "program.h"

#include <string.h>

static int out[64], in[64];

static void check(MPI_Comm comm, int count, int round)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size * count; i++)
        if (in[i] != number(i / count, rank, i % count, round))
            failed("call sites", comm, count * 4);
}

static void prepare(MPI_Comm comm, int count, int round)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size * count; i++)
        out[i] = number(rank, i / count, i % count, round);
    memset(in, -1, sizeof in);
}

/* Functions of their own, or the compiler makes one call of the two. */
__attribute__((noinline)) static void call_here(MPI_Comm comm)
{
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    in[63] = 1;
}

__attribute__((noinline)) static void call_there(MPI_Comm comm)
{
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    in[63] = 2;
}

int main(int argc, char **argv)
{
    int world, rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "same";
    int same = strcmp(how, "same") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, strcmp(how, "upper") == 0 && world == 0, 0, &comm);
    MPI_Comm_rank(comm, &rank);
    for (int round = 0; round < 200; round++) {
        int root = same ? round % 2 : rank == 0;
        prepare(comm, 2, round);
        if (root)
            call_here(comm);
        else
            call_there(comm);
        check(comm, 2, round);
    }
    MPI_Comm_free(&comm);
    if (world == 0)
        printf("sites: %s, done\n", how);
    return finish();
}
