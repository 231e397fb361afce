/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program with calls that look like mistakes on one rank alone, and that the MPI library takes:
 * odd CASE. Prints "done" when all results are right. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 30, MOST = 64 };

static int rank, ranks, wrong;
static int in[MOST], out[MOST];

static void expect(int is, int should)
{
    wrong += is != should;
}

/* The own block lies where it belongs already, on rank 0 at the beginning of the buffer; in alltoallv there
 * is that of rank 0 alone. */
static void own_block_in_place(void)
{
    int counts[MOST] = {rank == 0}, at[MOST] = {0};
    memset(in, 0, sizeof in);
    in[rank] = rank + 1;
    MPI_Allgather(&in[rank], 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        expect(in[r], r + 1);
    memset(in, 0, sizeof in);
    in[0] = rank + 1;
    MPI_Gather(in, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; r++)
        expect(in[r], r + 1);
    MPI_Alltoallv(in, counts, at, MPI_INT, in, counts, at, MPI_INT, MPI_COMM_WORLD);
    expect(in[0], rank + 1);
}

/* What is of no significance on a rank may be anything. */
static void insignificant(void)
{
    in[0] = rank + 1;
    MPI_Reduce(rank ? in : MPI_IN_PLACE, rank ? MPI_IN_PLACE : in, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        expect(in[0], ranks * (ranks + 1) / 2);
}

/* NULL where all blocks are empty, with a datatype that is not MPI's own. */
static void nowhere(void)
{
    int sends[MOST] = {0}, receives[MOST] = {0}, at[MOST] = {0};
    MPI_Datatype triple;
    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_commit(&triple);
    in[2] = 7;
    out[2] = 0;
    if (rank == 0)
        sends[1] = 1;
    if (rank == 1)
        receives[0] = 1;
    MPI_Alltoallv(rank == 0 ? in : NULL, sends, at, triple, rank == 1 ? out : NULL, receives, at, triple,
                  MPI_COMM_WORLD);
    MPI_Type_free(&triple);
    if (rank == 1)
        expect(out[2], 7);
}

/* NULL, and elements that have no bytes. */
static void of_no_bytes(void)
{
    int counts[MOST], others[MOST], at[MOST] = {0};
    MPI_Datatype empty;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    for (int r = 0; r < MOST; r++)
        counts[r] = others[r] = 2;
    MPI_Alltoallv(NULL, counts, at, empty, NULL, others, at, empty, MPI_COMM_WORLD);
    for (int root = 0; root < ranks; root++) {
        /* At the root MPICH takes one address for both for a mistake. */
        int *own = rank == root ? in : NULL;
        MPI_Gatherv(own, 2, empty, NULL, counts, at, empty, root, MPI_COMM_WORLD);
        MPI_Scatterv(NULL, counts, at, empty, own, 2, empty, root, MPI_COMM_WORLD);
    }
    MPI_Type_free(&empty);
}

/* One rank receives all, in place; the others nothing, nowhere. */
static void some_in_place(void)
{
    int counts[MOST] = {2};
    in[0] = in[1] = rank + 1;
    MPI_Reduce_scatter(rank == 0 ? MPI_IN_PLACE : in, rank == 0 ? in : NULL, counts, MPI_INT, MPI_SUM,
                       MPI_COMM_WORLD);
    if (rank == 0)
        expect(in[1], ranks * (ranks + 1) / 2);
}

/* One buffer for both on rank 0 alone, where Open MPI takes it. */
static void one_buffer(void)
{
    int counts[MOST], *from = rank == 0 ? out : in;
    int sum = ranks * (ranks + 1) / 2;
    for (int r = 0; r < MOST; r++)
        counts[r] = 1;
    for (int kind = 0; kind < 5; kind++) {
        for (int r = 0; r < MOST; r++)
            in[r] = out[r] = rank + 1;
        if (kind == 0)
            MPI_Scan(from, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else if (kind == 1)
            MPI_Exscan(from, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else if (kind == 2)
            MPI_Reduce_scatter_block(from, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else if (kind == 3)
            MPI_Reduce_scatter(from, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(from, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        int before = rank * (rank + 1) / 2;
        if (kind == 0)
            expect(out[1], before + rank + 1);
        else if (kind > 1)
            expect(out[0], sum);
        else if (rank > 0)
            expect(out[1], before);
    }
}

static void plain(void)
{
    in[0] = rank + 1;
    MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(out[0], ranks * (ranks + 1) / 2);
    MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        expect(out[r], r + 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } cases[] = {{"own-block-in-place", own_block_in_place},
                 {"insignificant", insignificant},
                 {"nowhere", nowhere},
                 {"of-no-bytes", of_no_bytes},
                 {"some-in-place", some_in_place},
                 {"one-buffer", one_buffer},
                 {"plain", plain}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        for (int call = 0; strcmp(argv[1], cases[i].name) == 0 && call < CALLS; call++)
            cases[i].call();
    int all;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        puts(all ? "wrong" : "done");
    return 0;
}
