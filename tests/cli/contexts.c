/* SPDX-License-Identifier: BSD-3-Clause
 * contexts COMMUNICATORS SIZES ROUNDS: an ordinary MPI program that calls MPI_Alltoall with each size on each
 * communicator, ROUNDS times, checks what came, and says how much its heap has grown on the rank where it
 * grew most. */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

/* Wrong values. */
static long exchange(MPI_Comm comm, int rank, int ranks, int count, int salt)
{
    long wrong = 0;
    int *out = malloc(sizeof(int) * (size_t)(ranks * count)),
        *in = malloc(sizeof(int) * (size_t)(ranks * count));
    if (out == NULL || in == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ranks * count; i++)
        out[i] = salt + rank * ranks * count + i;
    MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, comm);
    for (int i = 0; i < ranks * count; i++)
        wrong += in[i] != salt + i / count * ranks * count + rank * count + i % count;
    free(out);
    free(in);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    if (argc != 4)
        return 2;
    int communicators = atoi(argv[1]), sizes = atoi(argv[2]), rounds = atoi(argv[3]);
    if (communicators < 1)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm *comms = calloc((size_t)communicators, sizeof(MPI_Comm));
    if (comms == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int c = 0; c < communicators; c++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    long before = heap(), found[2] = {0}, all[2];
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < communicators * sizes; i++)
            found[0] += exchange(comms[i / sizes], rank, ranks, 1 + i % sizes, round + i);
    found[1] = heap() - before;
    MPI_Allreduce(&found[0], &all[0], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&found[1], &all[1], 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld calls, %ld wrong, %ld bytes\n", (long)rounds * communicators * sizes, all[0], all[1]);
    for (int c = 0; c < communicators; c++)
        MPI_Comm_free(&comms[c]);
    free(comms);
    MPI_Finalize();
    return 0;
}
