/* SPDX-License-Identifier: BSD-3-Clause
 * Calls collective operations over and over: calls OPERATION:BYTES:TIMES... Of each, rank 0 prints how long a
 * call took lately: the mean over the last calls, whose ranks no barrier aligned. Wrong results end it with
 * status 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATE = 10, NAME_ROOM = 16 };

static int rank, size;
static long wrong;

/* What FROM has for TO in byte AT of a block. */
static char byte_of(int from, int to, int at)
{
    return (char)(from * 31 + to * 7 + at);
}

/* Block of rank FROM for rank TO; -1: for all. All its bytes when COMPLETE, else its ends. */
static void check(const char *block, int bytes, int from, int to, int complete)
{
    for (int at = 0; at < bytes; at += complete || at == bytes - 1 ? 1 : bytes - 1)
        wrong += block[at] != byte_of(from, to, at);
}

static void fill(char *block, int bytes, int to)
{
    for (int at = 0; at < bytes; at++)
        block[at] = byte_of(rank, to, at);
}

static void alltoall(char *send, char *recv, int bytes, int complete)
{
    MPI_Alltoall(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check(recv + (size_t)r * (size_t)bytes, bytes, r, rank, complete);
}

static void allgather(char *send, char *recv, int bytes, int complete)
{
    MPI_Allgather(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check(recv + (size_t)r * (size_t)bytes, bytes, r, 0, complete);
}

static void allreduce(char *send, char *recv, int bytes, int complete)
{
    int *mine = (int *)(void *)send, *sum = (int *)(void *)recv, count = bytes / (int)sizeof *mine;
    for (int i = 0; i < count; i++)
        mine[i] = rank + i;
    MPI_Allreduce(mine, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < (complete ? count : 1); i++)
        wrong += sum[i] != size * (size - 1) / 2 + size * i;
}

static void bcast(char *send, char *recv, int bytes, int complete)
{
    if (rank == 0)
        memcpy(recv, send, (size_t)bytes);
    else
        memset(recv, 0, (size_t)bytes);
    MPI_Bcast(recv, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    check(recv, bytes, 0, 0, complete);
}

static const struct {
    const char *name;
    void (*call)(char *send, char *recv, int bytes, int complete);
    int sends_to_each, receives_from_each;
} operations[] = {{"alltoall", alltoall, 1, 1},
                  {"allgather", allgather, 0, 1},
                  {"allreduce", allreduce, 0, 0},
                  {"bcast", bcast, 0, 0}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void repeat(int which, int bytes, int times)
{
    size_t blocks = (size_t)size, length = (size_t)bytes;
    char *send = calloc(operations[which].sends_to_each ? blocks : 1, length);
    char *recv = calloc(operations[which].receives_from_each ? blocks : 1, length);
    double late = 0;
    if (send == NULL || recv == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int to = 0; to < (operations[which].sends_to_each ? size : 1); to++)
        fill(send + (size_t)to * length, bytes, to);
    for (int i = 0; i < times; i++) {
        if (i == times - LATE)
            late = MPI_Wtime();
        operations[which].call(send, recv, bytes, i == 0 || i == times - 1);
    }
    if (rank == 0)
        printf("%s %d %.6f ms\n", operations[which].name, bytes, (MPI_Wtime() - late) * 1e3 / LATE);
    free(send);
    free(recv);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        char name[NAME_ROOM];
        int bytes, times, which = 0;
        if (sscanf(argv[i], "%15[a-z]:%d:%d", name, &bytes, &times) != 3 || times < LATE || bytes < 4)
            MPI_Abort(MPI_COMM_WORLD, 2);
        while (which < OPERATIONS && strcmp(name, operations[which].name) != 0)
            which++;
        if (which == OPERATIONS)
            MPI_Abort(MPI_COMM_WORLD, 2);
        repeat(which, bytes, times);
    }
    if (wrong > 0)
        printf("rank %d: %ld wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong > 0;
}
