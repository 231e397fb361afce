/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic of a known amount, checked: traffic ring|alltoall|stream BYTES TIMES. Each rank sends BYTES, TIMES
 * times: to the next one, to each other, or (stream) rank 0 to the last one. Each rank says where it runs,
 * and rank 0 of a stream how fast it was. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks, bytes, times;

/* What FROM sends to TO in a round: other bytes in each. */
static void fill(unsigned char *block, int from, int to, int round)
{
    for (int i = 0; i < bytes; i++)
        block[i] = (unsigned char)(31 * from + 7 * to + 3 * round + i);
}

static void check(const unsigned char *block, int from, int round, unsigned char *expected)
{
    fill(expected, from, rank, round);
    if (memcmp(block, expected, (size_t)bytes) == 0)
        return;
    fprintf(stderr, "traffic: rank %d got wrong bytes from rank %d in round %d\n", rank, from, round);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void ring(unsigned char *send, unsigned char *receive, unsigned char *expected)
{
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int round = 0; round < times; round++) {
        fill(send, rank, to, round);
        MPI_Sendrecv(send, bytes, MPI_BYTE, to, 0, receive, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        check(receive, from, round, expected);
    }
}

static void alltoall(unsigned char *send, unsigned char *receive, unsigned char *expected)
{
    for (int round = 0; round < times; round++) {
        for (int to = 0; to < ranks; to++)
            fill(send + (size_t)to * (size_t)bytes, rank, to, round);
        MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, MPI_COMM_WORLD);
        for (int from = 0; from < ranks; from++)
            check(receive + (size_t)from * (size_t)bytes, from, round, expected);
    }
}

static void stream(unsigned char *send, unsigned char *receive, unsigned char *expected)
{
    double began = MPI_Wtime();
    for (int round = 0; round < times; round++) {
        if (rank == 0) {
            fill(send, 0, ranks - 1, round);
            MPI_Send(send, bytes, MPI_BYTE, ranks - 1, 0, MPI_COMM_WORLD);
        } else if (rank == ranks - 1) {
            MPI_Recv(receive, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(receive, 0, round, expected);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("stream: %.2f Mbit/s\n", 8e-6 * bytes * times / (MPI_Wtime() - began));
}

int main(int argc, char **argv)
{
    char host[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4 || (bytes = atoi(argv[2])) <= 0 || (times = atoi(argv[3])) <= 0)
        return 2;
    unsigned char *send = malloc((size_t)ranks * (size_t)bytes),
                  *receive = malloc((size_t)ranks * (size_t)bytes);
    unsigned char *expected = malloc((size_t)bytes);
    if (send == NULL || receive == NULL || expected == NULL)
        return 2;
    gethostname(host, sizeof host);
    printf("rank %d on %s\n", rank, host);
    if (strcmp(argv[1], "ring") == 0)
        ring(send, receive, expected);
    else if (strcmp(argv[1], "alltoall") == 0)
        alltoall(send, receive, expected);
    else
        stream(send, receive, expected);
    free(send);
    free(receive);
    free(expected);
    MPI_Finalize();
    return 0;
}
