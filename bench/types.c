/* SPDX-License-Identifier: BSD-3-Clause
 * A program that makes a datatype for each call, as ScaLAPACK does: types OPERATION CALLS [SIZES [named]].
 * Each is some columns of a matrix, and goes to a row of processes, which is all of them. SIZES: so many
 * widths come in turns. `named`: the types are made, but as many MPI_DOUBLE go instead. bench/harm runs it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 128, LEADING = 160, WIDEST = 64, RANKS_MOST = 16 };
static double matrix[WIDEST * LEADING], all[RANKS_MOST * WIDEST * LEADING];
static int root, rank;
static MPI_Comm row;

static void bcast(int count, MPI_Datatype type)
{
    MPI_Bcast(matrix, count, type, root, row);
}

static void allgather(int count, MPI_Datatype type)
{
    MPI_Allgather(matrix, count, type, all, count, type, row);
}

static void scatter(int count, MPI_Datatype type)
{
    MPI_Scatter(all, count, type, rank == root ? MPI_IN_PLACE : (void *)matrix, count, type, root, row);
}

static const struct {
    const char *name;
    void (*call)(int count, MPI_Datatype type);
} operations[] = {{"bcast", bcast}, {"allgather", allgather}, {"scatter", scatter}};

int main(int argc, char **argv)
{
    int ranks, calls = argc > 2 ? atoi(argv[2]) : 0, sizes = argc > 3 ? atoi(argv[3]) : 8, which = -1;
    for (int i = 0; argc > 2 && i < (int)(sizeof operations / sizeof *operations); i++)
        if (strcmp(argv[1], operations[i].name) == 0)
            which = i;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (which < 0 || sizes < 1 || sizes > WIDEST || ranks > RANKS_MOST) {
        fprintf(stderr, "usage: types OPERATION CALLS [SIZES [named]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &row);
    MPI_Comm_rank(row, &rank);
    for (int i = 0; i < calls; i++) {
        int width = WIDEST / sizes * (i % sizes + 1);
        MPI_Datatype columns;
        MPI_Type_vector(width, ROWS, LEADING, MPI_DOUBLE, &columns);
        MPI_Type_commit(&columns);
        root = i / sizes % ranks;
        operations[which].call(argc > 4 ? width * ROWS : 1, argc > 4 ? MPI_DOUBLE : columns);
        MPI_Type_free(&columns);
    }
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
