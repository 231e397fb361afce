/* SPDX-License-Identifier: BSD-3-Clause
 * Does memory grow? growth CALLS [CYCLES]: the heap after half of the calls, when most methods were tried,
 * and at the end, on each rank; then the same for cycles of communicators that are made, tuned and freed, in
 * spans of which each would grow by what each cycle left behind. */
#include "program.h"

#include <limits.h>
#include <malloc.h>

enum {
    SLACK = 192 * 1024
}; /* what the MPI library may keep for itself: MPICH has pools that grow by 64 KB */
enum { SPANS = 3 };

static long heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

static void judge(const char *what, long grown, long slack)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (grown > slack) {
        fprintf(stderr, "FAILED: %s: the heap of rank %d grew by %ld bytes, to %ld\n", what, rank, grown,
                heap());
        program_failures++;
    } else if (rank == 0) {
        printf("%s: no growth\n", what);
    }
}

static void call(int round)
{
    exchange("growth", MPI_COMM_WORLD, 2 + round % 3, round % 2, round);
}

static void cycle(int round)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 12; i++)
        exchange("growth, cycles", comm, 1 + i % 2, 0, round);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 10000, cycles = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < calls / 2; i++)
        call(i);
    long before = heap();
    for (int i = calls / 2; i < calls; i++)
        call(i);
    judge("calls", heap() - before, SLACK);
    for (int i = 0; i < cycles / 4; i++)
        cycle(i);
    long least = LONG_MAX;
    for (int span = 0; span < SPANS && cycles > 0; span++) {
        before = heap();
        for (int i = 0; i < cycles / 4; i++)
            cycle(i);
        least = heap() - before < least ? heap() - before : least;
    }
    if (cycles > 0)
        judge("cycles", least, SLACK / SPANS);
    return finish();
}
