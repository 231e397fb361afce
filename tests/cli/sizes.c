/* SPDX-License-Identifier: BSD-3-Clause
 * sizes OPERATION BYTES… [xTIMES]: an ordinary MPI program that calls MPI_Alltoall, MPI_Alltoallv,
 * MPI_Allgather or MPI_Bcast with each of the sizes, all of them so many times, and says on rank 0's standard
 * error when each begins. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exchange(char *out, char *in, int bytes, int ranks)
{
    int *counts = malloc((size_t)ranks * sizeof *counts), *places = malloc((size_t)ranks * sizeof *places);
    if (counts == NULL || places == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < ranks; r++) {
        counts[r] = bytes;
        places[r] = r * bytes;
    }
    MPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, MPI_COMM_WORLD);
    free(counts);
    free(places);
}

int main(int argc, char **argv)
{
    int rank, ranks, times = 1;
    if (argv[argc - 1][0] == 'x')
        times = atoi(argv[--argc] + 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < times * (argc - 2); i++) {
        int bytes = atoi(argv[2 + i % (argc - 2)]);
        char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
        if (out == NULL || in == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            fprintf(stderr, "size %d\n", bytes);
        if (strcmp(argv[1], "alltoall") == 0)
            MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
        else if (strcmp(argv[1], "alltoallv") == 0)
            exchange(out, in, bytes, ranks);
        else if (strcmp(argv[1], "allgather") == 0)
            MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
        else
            MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (rank == 0)
            fprintf(stderr, "end\n");
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
