/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program: handing CALLS. While some ranks are in a collective, others still need their MPI
 * library: for a message that goes only while its sender drives it, or for one-sided access. A root runs far
 * ahead of leaves that come late. Prints how many numbers are wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LONG = 1 << 20, SHORT = 6, RANKS_MOST = 16 };
static int rank, size, wrong;
static int big[LONG];

static void check(int value, int right)
{
    wrong += value != right;
}

static void allreduce(int call)
{
    int mine = call + rank, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum, size * call + size * (size - 1) / 2);
}

static void allreduce_pairs(int call)
{
    struct {
        double value;
        int at;
    } mine = {(double)(rank == call % size), rank}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    check(most.at, call % size);
}

static void barrier(int call)
{
    (void)call;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int call)
{
    int values[SHORT];
    for (int i = 0; i < SHORT; i++)
        values[i] = rank == 0 ? call + i : -1;
    MPI_Bcast(values, SHORT, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < SHORT; i++)
        check(values[i], call + i);
}

static void reduce(int call)
{
    int mine = call * rank, sum = 0, last = size - 1;
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, last, MPI_COMM_WORLD);
    if (rank == last)
        check(sum, call * size * (size - 1) / 2);
}

static void allgather(int call)
{
    int mine = 100 * call + rank, all[RANKS_MOST];
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check(all[r], 100 * call + r);
}

static void alltoall(int call)
{
    int mine[RANKS_MOST], theirs[RANKS_MOST];
    for (int r = 0; r < size; r++)
        mine[r] = 10000 * call + 100 * rank + r;
    MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        check(theirs[r], 10000 * call + 100 * r + rank);
}

static void reduce_scatter(int call)
{
    int mine[RANKS_MOST], sum = 0;
    for (int r = 0; r < size; r++)
        mine[r] = call + r;
    MPI_Reduce_scatter_block(mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum, size * (call + rank));
}

static void gather(int call)
{
    int mine = call - rank, all[RANKS_MOST];
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < size; r++)
        check(all[r], call - r);
}

static void scatter(int call)
{
    int all[RANKS_MOST], mine = -1;
    for (int r = 0; r < size; r++)
        all[r] = call + 7 * r;
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check(mine, call + 7 * rank);
}

static void (*const calls[])(int) = {allreduce, allreduce_pairs, barrier,        bcast,  reduce,
                                     allgather, alltoall,        reduce_scatter, gather, scatter};
enum { CALLS = sizeof calls / sizeof *calls };

/* The message of rank 0 needs rank 0, which is in the call already. */
static void send_across(void (*call)(int), int round)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(big, LONG, MPI_INT, size - 1, 0, MPI_COMM_WORLD, &request);
    if (rank == size - 1)
        MPI_Recv(big, LONG, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    call(round);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == size - 1)
        for (int i = 0; i < LONG; i += 1000)
            check(big[i], i);
}

/* So does what is put into its memory. */
static void put_across(void (*call)(int), int round)
{
    static int window_memory[SHORT];
    MPI_Win window;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == size - 1) {
        int value = round + 5;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    call(round);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        check(window_memory[1], round + 5);
    MPI_Win_free(&window);
}

static void run_ahead(void (*call)(int), int count)
{
    struct timespec late = {.tv_nsec = 30000000};
    if (rank == size - 1)
        nanosleep(&late, NULL);
    for (int i = 0; i < count; i++)
        call(i);
}

int main(int argc, char **argv)
{
    int all, count = argc > 1 ? atoi(argv[1]) : 2000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < LONG; i++)
        big[i] = rank == 0 ? i : 0;
    for (int i = 0; i < CALLS; i++) {
        for (int warm = 0; warm < 3; warm++)
            calls[i](warm);
        send_across(calls[i], 4);
        put_across(calls[i], 5);
        run_ahead(calls[i], count);
    }
    for (int i = 0; i < count; i++)
        calls[rand() % CALLS](i);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return 0;
}
