/* SPDX-License-Identifier: BSD-3-Clause
 * Sends a known number of bytes by each kind of call, on communicators of other orders: what `startune run
 * --matrix` must count. Prints what each rank sent to each other, by the program's own account: lines of
 * "FROM TO BYTES MESSAGES". Collective operations are not in it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS_MOST = 64, ROOM = 4096 };

static int rank, size;
static long long bytes_to[RANKS_MOST], messages_to[RANKS_MOST], bytes_from[RANKS_MOST],
    messages_from[RANKS_MOST];
static char out[ROOM], in[ROOM];

static void note(int to, long long bytes)
{
    bytes_to[to] += bytes;
    messages_to[to]++;
}

/* Around the ring of COMM, in which this rank is OWN and WORLD[i] is rank i, by each call in turn. */
static void go_round(MPI_Comm comm, int own, const int *world)
{
    int right = (own + 1) % size, left = (own + size - 1) % size;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(in, ROOM, MPI_CHAR, left, 3, comm, &requests[0]);
    MPI_Sendrecv(out, 10, MPI_INT, right, 0, in, ROOM, MPI_CHAR, left, 0, comm, MPI_STATUS_IGNORE);
    note(world[right], 10 * (long long)sizeof(int));
    MPI_Sendrecv_replace(out, 7, MPI_CHAR, right, 0, left, 0, comm, MPI_STATUS_IGNORE);
    note(world[right], 7);
    int (*const sends[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                         MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Ibsend};
    for (int i = 0; i < 3; i++) {
        sends[i](out, 100 + i, MPI_CHAR, right, 1, comm, &requests[1]);
        note(world[right], 100 + i);
        MPI_Recv(in, ROOM, MPI_CHAR, left, 1, comm, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
    MPI_Send_init(out, 33, MPI_DOUBLE, right, 3, comm, &requests[1]);
    for (int i = 0; i < 4; i++) {
        if (i % 2) {
            MPI_Startall(2, requests);
        } else {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        }
        note(world[right], 33 * (long long)sizeof(double));
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Send(out, 1, MPI_CHAR, MPI_PROC_NULL, 0, comm);
}

/* One way, from even to odd ranks. */
static void go_across(void)
{
    int other = rank ^ 1;
    if (other >= size)
        return;
    int (*const sends[])(const void *, int, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send, MPI_Ssend,
                                                                                 MPI_Bsend};
    for (int i = 0; i < 3; i++)
        if (rank % 2 == 0) {
            sends[i](out, 200 + i, MPI_BYTE, other, 2, MPI_COMM_WORLD);
            note(other, 200 + i);
        } else {
            MPI_Recv(in, ROOM, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

/* Between neighbours of a Cartesian communicator, on one of their own, which Open MPI 4.1 calls Cartesian,
 * too. */
static void go_aside(void)
{
    int other = rank ^ 1, dims[2] = {0}, periods[2] = {0}, both[2] = {rank & ~1, rank | 1};
    MPI_Comm cart, aside;
    MPI_Group all, group;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    if (other < size) {
        MPI_Comm_group(cart, &all);
        MPI_Group_incl(all, 2, both, &group);
        MPI_Comm_create_group(cart, group, 0, &aside);
        MPI_Sendrecv(out, 5, MPI_CHAR, !(rank % 2), 0, in, ROOM, MPI_CHAR, !(rank % 2), 0, aside,
                     MPI_STATUS_IGNORE);
        note(other, 5);
        MPI_Comm_free(&aside);
        MPI_Group_free(&group);
        MPI_Group_free(&all);
    }
    MPI_Comm_free(&cart);
}

static void go_to_windows(void)
{
    MPI_Win window;
    static char exposed[ROOM];
    int right = (rank + 1) % size;
    MPI_Win_create(exposed, ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 50, MPI_CHAR, right, 0, 50, MPI_CHAR, window);
    note(right, 50);
    MPI_Win_fence(0, window);
    MPI_Get(in, 60, MPI_CHAR, right, 0, 60, MPI_CHAR, window);
    bytes_from[right] += 60;
    messages_from[right]++;
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

/* To both neighbours of a line that is not closed. */
static void go_near(void)
{
    MPI_Comm line;
    int periods = 0;
    double from[1] = {1}, into[2] = {0};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &line);
    MPI_Neighbor_allgather(from, 1, MPI_DOUBLE, into, 1, MPI_DOUBLE, line);
    for (int to = rank - 1; to <= rank + 1; to += 2)
        if (to >= 0 && to < size)
            note(to, sizeof(double));
    MPI_Comm_free(&line);
}

int main(int argc, char **argv)
{
    MPI_Comm backwards;
    static char buffer[1 << 16];
    int world[RANKS_MOST], turned[RANKS_MOST], attached;
    void *detached;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = 0; r < size; r++) {
        world[r] = r;
        turned[r] = size - 1 - r;
    }
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    go_round(MPI_COMM_WORLD, rank, world);
    go_round(backwards, size - 1 - rank, turned);
    go_across();
    go_aside();
    go_to_windows();
    go_near();
    MPI_Comm_free(&backwards);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        double sum = rank, all;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Buffer_detach(&detached, &attached);
    for (int r = 0; r < size; r++) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int to = 0; r == rank && to < size; to++) {
            if (messages_to[to] > 0)
                printf("%d %d %lld %lld\n", rank, to, bytes_to[to], messages_to[to]);
            if (messages_from[to] > 0)
                printf("%d %d %lld %lld\n", to, rank, bytes_from[to], messages_from[to]);
        }
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
