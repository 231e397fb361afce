/* SPDX-License-Identifier: BSD-3-Clause
 * For ordinary MPI programs that verify their own numbers and know nothing of startune. */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic int program_failures;

/* What rank FROM sends to rank TO as number K in round ROUND. */
static inline int number(int from, int to, int k, int round)
{
    return from * 1000003 + to * 10007 + k * 11 + round;
}

static inline void failed(const char *what, MPI_Comm comm, int bytes)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (program_failures++ < 10)
        fprintf(stderr, "FAILED: %s: alltoall on %d ranks, %d bytes a pair, rank %d\n", what, size, bytes,
                rank);
}

/* One alltoall of COUNT ints for each pair, checked. WHAT names it in messages. */
static inline void exchange(const char *what, MPI_Comm comm, int count, int in_place, int round)
{
    int size, rank, wrong = 0, sent;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    size_t all = (size_t)size * (size_t)count;
    int *out = malloc((all + 1) * sizeof *out), *in = malloc((all + 1) * sizeof *in);
    for (size_t i = 0; i < all; i++) {
        out[i] = number(rank, (int)i / count, (int)i % count, round);
        in[i] = in_place ? out[i] : -1;
    }
    in[all] = 4711;
    MPI_Alltoall(in_place ? MPI_IN_PLACE : out, count, MPI_INT, in, count, MPI_INT, comm);
    for (size_t i = 0; i < all; i++) {
        sent = number(rank, (int)i / count, (int)i % count, round);
        wrong += in[i] != number((int)i / count, rank, (int)i % count, round) || out[i] != sent;
    }
    if (wrong || in[all] != 4711)
        failed(what, comm, count * (int)sizeof *out);
    free(out);
    free(in);
}

/* Ends the program: the same exit status on all ranks. */
static inline int finish(void)
{
    int mine = program_failures, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}

#endif
