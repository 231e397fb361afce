/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks 2 i and 2 i + 1 send each other messages: pairs [MESSAGES [BYTES [MILLISECONDS [turn]]]]; then they
 * sleep. With "turn" in the second half rank i and rank i + half of the ranks do. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static int partner_of(int rank, int size, int turned)
{
    return turned ? (rank + size / 2) % size : rank ^ 1;
}

int main(int argc, char **argv)
{
    int messages = argc > 1 ? atoi(argv[1]) : 100, bytes = argc > 2 ? atoi(argv[2]) : 1000, rank, size;
    char *out = calloc((size_t)bytes + 1, 1), *in = calloc((size_t)bytes + 1, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < messages; i++) {
        int with = partner_of(rank, size, argc > 4 && 2 * i >= messages);
        MPI_Sendrecv(out, bytes, MPI_CHAR, with, 0, in, bytes, MPI_CHAR, with, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    if (argc > 3)
        nanosleep(&(struct timespec){atoi(argv[3]) / 1000, atoi(argv[3]) % 1000 * 1000000L}, NULL);
    MPI_Finalize();
    free(out);
    free(in);
    return 0;
}
