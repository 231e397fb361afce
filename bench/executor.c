/* SPDX-License-Identifier: BSD-3-Clause
 * The executor beside code written by hand: alltoall:simple as a plan, and as Irecv, Isend and Waitall, in
 * turns within one run. Prints the ratio of the medians (plan over hand) for the size asked for. executor
 * BYTES [CALLS] */
#include "algorithms/method.h"
#include "plan/execute.h"
#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURN = 50 };

static int rank, size, bytes;
static char *send, *recv;
static MPI_Request *requests;

static void by_hand(MPI_Comm comm)
{
    int count = 0;
    memcpy(recv + (size_t)rank * (size_t)bytes, send + (size_t)rank * (size_t)bytes, (size_t)bytes);
    for (int i = 1; i < size; i++) {
        int from = (rank - i + size) % size;
        MPI_Irecv(recv + (size_t)from * (size_t)bytes, bytes, MPI_BYTE, from, 0, comm, &requests[count++]);
    }
    for (int i = 1; i < size; i++) {
        int to = (rank + i) % size;
        MPI_Isend(send + (size_t)to * (size_t)bytes, bytes, MPI_BYTE, to, 0, comm, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void by_plan(struct star_runner *runner, MPI_Comm comm)
{
    static struct star_side sides[2]; /* as the runtime keeps them */
    star_side_renew(&sides[0], send, MPI_BYTE);
    star_side_renew(&sides[1], recv, MPI_BYTE);
    star_execute(runner, sides[0], sides[1], comm);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, int count, double share)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[(int)(share * (count - 1))];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    bytes = argc > 1 ? atoi(argv[1]) : 64;
    int turns = (argc > 2 ? atoi(argv[2]) : 100000) / TURN;
    send = calloc((size_t)size, (size_t)bytes);
    recv = calloc((size_t)size, (size_t)bytes);
    requests = malloc(2 * (size_t)size * sizeof *requests);
    double *hand = malloc((size_t)turns * sizeof *hand), *plan = malloc((size_t)turns * sizeof *plan);
    double *ratio = malloc((size_t)turns * sizeof *ratio);
    struct star_method method;
    struct star_plan *built;
    struct star_shape shape = {.size = size, .rank = rank, .block = bytes};
    star_method_parse("alltoall:simple", &method, NULL);
    star_method_plan(&method, &shape, 0, &built, NULL);
    struct star_runner *runner = star_runner_new(built);
    for (int turn = -5; turn < turns; turn++) {
        int64_t begin = star_now();
        for (int i = 0; i < TURN; i++)
            by_plan(runner, comm);
        int64_t middle = star_now();
        for (int i = 0; i < TURN; i++)
            by_hand(comm);
        int64_t end = star_now();
        if (turn < 0)
            continue;
        plan[turn] = (double)(middle - begin) / TURN;
        hand[turn] = (double)(end - middle) / TURN;
        ratio[turn] = plan[turn] / hand[turn];
    }
    if (rank == 0)
        printf(
            "%d bytes, %d ranks, %d turns of %d calls: plan %.0f ns, by hand %.0f ns, ratio of medians %.3f "
            "(per turn: middle half %.2f to %.2f)\n",
            bytes, size, turns, TURN, quantile(plan, turns, 0.5), quantile(hand, turns, 0.5),
            quantile(plan, turns, 0.5) / quantile(hand, turns, 0.5), quantile(ratio, turns, 0.25),
            quantile(ratio, turns, 0.75));
    star_runner_free(runner);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
