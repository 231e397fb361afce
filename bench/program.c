/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program that does nothing but call one operation: program OPERATION BYTES CALLS... Prints as
 * JSON the seconds that had passed after each number of CALLS, which increase: on the rank that was last.
 * bench/live, bench/harm and bench/node run it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_MOST = 16 };
static int bytes;
static char *from, *to;

static void alltoall(void)
{
    MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void allgather(void)
{
    MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void allreduce(void)
{
    MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void bcast(void)
{
    MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce(void)
{
    MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void iallreduce(void)
{
    MPI_Request request;
    MPI_Iallreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void iallgather(void)
{
    MPI_Request request;
    MPI_Iallgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ialltoall(void)
{
    MPI_Request request;
    MPI_Ialltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ireduce_scatter_block(void)
{
    MPI_Request request;
    MPI_Ireduce_scatter_block(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ibcast(void)
{
    MPI_Request request;
    MPI_Ibcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ibarrier(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*call)(void);
} operations[] = {
    {"alltoall", alltoall},     {"allgather", allgather},   {"allreduce", allreduce},
    {"bcast", bcast},           {"reduce", reduce},         {"barrier", barrier},
    {"iallreduce", iallreduce}, {"ibcast", ibcast},         {"ibarrier", ibarrier},
    {"ialltoall", ialltoall},   {"iallgather", iallgather}, {"ireduce_scatter_block", ireduce_scatter_block}};

static void measure(void (*call)(void), const int *marks, int count)
{
    double mine[MARKS_MOST], all[MARKS_MOST];
    int calls = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < count; i++) {
        for (; calls < marks[i]; calls++)
            call();
        mine[i] = MPI_Wtime() - begin;
    }
    MPI_Allreduce(mine, all, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < count; i++)
        printf("%s\"%d\": %.9g%s", i ? ", " : "{\"seconds\": {", marks[i], all[i],
               i + 1 < count ? "" : "}}\n");
}

int main(int argc, char **argv)
{
    int marks[MARKS_MOST], ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bytes = argc > 3 ? atoi(argv[2]) : 0;
    from = calloc((size_t)ranks, (size_t)bytes + 8);
    to = calloc((size_t)ranks, (size_t)bytes + 8);
    for (int i = 3; i < argc && i < 3 + MARKS_MOST; i++)
        marks[i - 3] = atoi(argv[i]);
    for (size_t i = 0; bytes > 0 && from != NULL && to != NULL && i < sizeof operations / sizeof *operations;
         i++)
        if (strcmp(argv[1], operations[i].name) == 0) {
            measure(operations[i].call, marks, argc - 3 < MARKS_MOST ? argc - 3 : MARKS_MOST);
            bytes = 0; /* done */
        }
    if (bytes != 0 || argc < 4) {
        fprintf(stderr, "usage: program OPERATION BYTES CALLS...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
