/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that MPI calls wrong, and that run with every MPI library, as short messages are sent before their
 * receivers are there: unsafe OPERATION [ROUNDS [BURST [BYTES]]]. Who need not wait in an operation (the root
 * of a broadcast, the leaves of a reduction) calls BURST of them and then sends; who has to wait receives
 * that first. OPERATION "together": a broadcast, and then all meet outside of MPI. */
#include "shared.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES_MOST = 1 << 17, RANKS_MOST = 64 };
static int rank, size, bytes, bad;
static unsigned char here[BYTES_MOST], there[RANKS_MOST * BYTES_MOST];

static unsigned char value(int who, int round, int i)
{
    return (unsigned char)(who * 31 + round * 7 + i);
}

static void fill(unsigned char *at, int who, int round)
{
    for (int i = 0; i < bytes; i++)
        at[i] = value(who, round, i);
}

static void check(const unsigned char *at, int who, int round)
{
    for (int i = 0; i < bytes; i++)
        bad += at[i] != value(who, round, i);
}

static void bcast(MPI_Comm comm, int root, int round)
{
    if (rank == root)
        fill(here, root, round);
    else
        memset(here, 0, (size_t)bytes);
    MPI_Bcast(here, bytes, MPI_BYTE, root, comm);
    check(here, root, round);
}

static void scatter(MPI_Comm comm, int root, int round)
{
    for (int r = 0; rank == root && r < size; r++)
        fill(there + r * bytes, r, round);
    MPI_Scatter(there, bytes, MPI_BYTE, here, bytes, MPI_BYTE, root, comm);
    check(here, rank, round);
}

static void scatterv(MPI_Comm comm, int root, int round)
{
    int counts[RANKS_MOST], places[RANKS_MOST];
    for (int r = 0; r < size; r++) {
        counts[r] = bytes;
        places[r] = r * bytes;
        if (rank == root)
            fill(there + r * bytes, r, round);
    }
    MPI_Scatterv(there, counts, places, MPI_BYTE, here, bytes, MPI_BYTE, root, comm);
    check(here, rank, round);
}

static void gather(MPI_Comm comm, int root, int round)
{
    fill(here, rank, round);
    MPI_Gather(here, bytes, MPI_BYTE, there, bytes, MPI_BYTE, root, comm);
    for (int r = 0; rank == root && r < size; r++)
        check(there + r * bytes, r, round);
}

static void gatherv(MPI_Comm comm, int root, int round)
{
    int counts[RANKS_MOST], places[RANKS_MOST];
    for (int r = 0; r < size; r++) {
        counts[r] = bytes;
        places[r] = r * bytes;
    }
    fill(here, rank, round);
    MPI_Gatherv(here, bytes, MPI_BYTE, there, counts, places, MPI_BYTE, root, comm);
    for (int r = 0; rank == root && r < size; r++)
        check(there + r * bytes, r, round);
}

static void reduce(MPI_Comm comm, int root, int round)
{
    fill(here, rank, round);
    MPI_Reduce(here, there, bytes, MPI_BYTE, MPI_BXOR, root, comm);
    for (int i = 0; rank == root && i < bytes; i++) {
        unsigned char right = 0;
        for (int r = 0; r < size; r++)
            right ^= value(r, round, i);
        bad += there[i] != right;
    }
}

static void scan(MPI_Comm comm, int root, int round)
{
    (void)root;
    fill(here, rank, round);
    MPI_Scan(here, there, bytes, MPI_BYTE, MPI_BXOR, comm);
    for (int i = 0; i < bytes; i++) {
        unsigned char right = 0;
        for (int r = 0; r <= rank; r++)
            right ^= value(r, round, i);
        bad += there[i] != right;
    }
}

static const struct {
    const char *name;
    void (*call)(MPI_Comm comm, int root, int round);
    int down; /* others wait for the root */
} operations[] = {{"bcast", bcast, 1},   {"scatter", scatter, 1}, {"scatterv", scatterv, 1},
                  {"gather", gather, 0}, {"gatherv", gatherv, 0}, {"reduce", reduce, 0},
                  {"scan", scan, 1}};

static void calls(int which, MPI_Comm comm, int root, int round, int burst)
{
    for (int i = 0; i < burst; i++)
        operations[which].call(comm, root, round * burst + i);
}

static void run_down(int which, MPI_Comm comm, int root, int round, int burst)
{
    int word = round;
    if (rank != root)
        MPI_Recv(&word, 1, MPI_INT, root, 1, comm, MPI_STATUS_IGNORE);
    calls(which, comm, root, round, burst);
    for (int r = 0; rank == root && r < size; r++)
        if (r != root)
            MPI_Send(&round, 1, MPI_INT, r, 1, comm);
    bad += word != round;
}

static void run_up(int which, MPI_Comm comm, int root, int round, int burst)
{
    int word = round;
    for (int r = 0; rank == root && r < size; r++)
        if (r != root) {
            MPI_Recv(&word, 1, MPI_INT, r, 1, comm, MPI_STATUS_IGNORE);
            bad += word != round;
        }
    calls(which, comm, root, round, burst);
    if (rank != root)
        MPI_Send(&round, 1, MPI_INT, root, 1, comm);
}

/* As a library does that has other means than MPI to meet. */
static void run_together(int rounds)
{
    atomic_int *come = shared_by_ranks(MPI_COMM_WORLD, sizeof *come);
    for (int round = 0; round < rounds; round++) {
        bcast(MPI_COMM_WORLD, round % size, round);
        atomic_fetch_add(come, 1);
        while (atomic_load(come) < (round + 1) * size)
            sched_yield();
    }
    munmap(come, sizeof *come);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 2 ? atoi(argv[2]) : 300, burst = argc > 3 ? atoi(argv[3]) : 1;
    bytes = argc > 4 ? atoi(argv[4]) : 8;
    if (argc < 2 || bytes > BYTES_MOST || size > RANKS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm comms[2] = {MPI_COMM_WORLD};
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[1]);
    for (size_t which = 0; which < sizeof operations / sizeof operations[0]; which++)
        for (int c = 0; strcmp(argv[1], operations[which].name) == 0 && c < 2; c++)
            for (int root = 0; root < (which == 0 || which == 6 ? 1 : 2); root++)
                for (int round = 0; round < rounds; round++)
                    (operations[which].down ? run_down : run_up)((int)which, comms[c], root, round, burst);
    if (strcmp(argv[1], "together") == 0)
        run_together(rounds);
    int all;
    MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d wrong\n", argv[1], all);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return bad != 0;
}
