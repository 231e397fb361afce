/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program: what programs do with datatypes and buffers. idioms WHAT ROUNDS, where WHAT is
 *   columns     blocks of a matrix and its columns, scattered, gathered and transposed by resized types
 *   empties     nothing goes from some ranks, which one side says by elements of an empty type
 *   insignificant   what bindings of other languages give where an argument does not count
 *   constants   what is broadcast lies in memory that cannot be written, as text does
 *   alias NAME  one buffer for both sides, not MPI_IN_PLACE: some MPI libraries take it
 * Prints how many numbers are wrong, and how many ranks the MPI library refused. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK = 3, SHORT = 9, PAIR = 8, LONG = 100 };

static int rank, size, wrong, refused;

static int *ints(int count)
{
    int *made = calloc((size_t)count + 1, sizeof *made);
    if (made == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return made;
}

static void forget(int *numbers, int count)
{
    for (int i = 0; i < count; i++)
        numbers[i] = -1;
}

/* TYPE is given back, resized to so many ints. */
static MPI_Datatype resized(MPI_Datatype type, int ints_wide)
{
    MPI_Datatype made;
    MPI_Type_create_resized(type, 0, (MPI_Aint)(ints_wide * (int)sizeof(int)), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&type);
    return made;
}

static MPI_Datatype vector(int count, int length, int stride, int ints_wide)
{
    MPI_Datatype made;
    MPI_Type_vector(count, length, stride, MPI_INT, &made);
    return resized(made, ints_wide);
}

/* Blocks of a matrix that lies on the root, to a grid of processes and back. */
static void blocks(int round)
{
    int dims[2] = {0, 0}, root = round % size;
    MPI_Dims_create(size, 2, dims);
    int rows = dims[0] * BLOCK, columns = dims[1] * BLOCK, all = rows * columns;
    int *matrix = ints(all), *back = ints(all), *counts = ints(size), *displs = ints(size);
    int own[BLOCK * BLOCK] = {0};
    MPI_Datatype block = vector(BLOCK, BLOCK, columns, 1);
    for (int r = 0; r < size; r++) {
        counts[r] = 1;
        displs[r] = r / dims[1] * BLOCK * columns + r % dims[1] * BLOCK;
    }
    for (int i = 0; i < all; i++)
        matrix[i] = i + round;
    forget(back, all);
    MPI_Scatterv(matrix, counts, displs, block, own, BLOCK * BLOCK, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK * BLOCK; i++)
        wrong += own[i] != displs[rank] + i / BLOCK * columns + i % BLOCK + round;
    MPI_Gatherv(own, BLOCK * BLOCK, MPI_INT, back, counts, displs, block, root, MPI_COMM_WORLD);
    wrong += rank == root && memcmp(matrix, back, (size_t)all * sizeof *back) != 0;
    forget(back, all);
    MPI_Allgatherv(own, BLOCK * BLOCK, MPI_INT, back, counts, displs, block, MPI_COMM_WORLD);
    wrong += memcmp(matrix, back, (size_t)all * sizeof *back) != 0;
    MPI_Type_free(&block);
    free(matrix);
    free(back);
    free(counts);
    free(displs);
}

/* Columns of a square matrix, which others have as rows. */
static void columns_of(int round)
{
    int n = size * BLOCK, part = n * BLOCK;
    int *matrix = ints(n * n), *rows = ints(part), *came = ints(part);
    MPI_Datatype column = vector(n, 1, n, 1), row;
    MPI_Type_contiguous(n, MPI_INT, &row);
    MPI_Type_commit(&row);
    for (int i = 0; i < part; i++)
        rows[i] = i % n * n + rank * BLOCK + i / n + round;
    MPI_Allgather(rows, BLOCK, row, matrix, BLOCK, column, MPI_COMM_WORLD);
    for (int i = 0; i < n * n; i++)
        wrong += matrix[i] != i + round;
    MPI_Scatter(matrix, BLOCK, column, came, BLOCK, row, round % size, MPI_COMM_WORLD);
    wrong += memcmp(rows, came, (size_t)part * sizeof *rows) != 0;
    MPI_Type_free(&column);
    MPI_Type_free(&row);
    free(matrix);
    free(rows);
    free(came);
}

static void transpose(int round)
{
    int n = size * BLOCK, part = n * BLOCK;
    int *rows = ints(part), *turned = ints(part);
    MPI_Datatype out = vector(BLOCK, BLOCK, n, BLOCK), one = vector(BLOCK, 1, n, 1), in;
    MPI_Type_contiguous(BLOCK, one, &in);
    in = resized(in, BLOCK);
    for (int i = 0; i < part; i++)
        rows[i] = rank * part + i + round;
    forget(turned, part);
    MPI_Alltoall(rows, 1, out, turned, 1, in, MPI_COMM_WORLD);
    for (int i = 0; i < part; i++)
        wrong += turned[i] != i % n * n + rank * BLOCK + i / n + round;
    MPI_Type_free(&out);
    MPI_Type_free(&one);
    MPI_Type_free(&in);
    free(rows);
    free(turned);
}

static void columns(int round)
{
    blocks(round);
    columns_of(round);
    transpose(round);
}

/* Rank 0 sends nothing, and nobody sends to it. */
static void empties(int round)
{
    int *counts[2] = {ints(size), ints(size)}, *displs = ints(size), *out = ints(size * PAIR),
        *in = ints(size * PAIR), root = round % size;
    MPI_Datatype empty;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    for (int r = 0; r < size; r++) {
        counts[0][r] = rank == 0 ? 5 : r == 0 ? 0 : 3;
        counts[1][r] = rank == 0 || r == 0 ? 0 : 3;
        displs[r] = r * PAIR;
        for (int i = 0; i < 3; i++)
            out[r * PAIR + i] = rank * 100 + r * 10 + i + round;
    }
    forget(in, size * PAIR);
    MPI_Alltoallv(out, counts[0], displs, rank == 0 ? empty : MPI_INT, in, counts[1], displs, MPI_INT,
                  MPI_COMM_WORLD);
    for (int i = 0; i < size * PAIR; i++)
        wrong += in[i] !=
                 (rank > 0 && i >= PAIR && i % PAIR < 3 ? i / PAIR * 100 + rank * 10 + i % PAIR + round : -1);
    MPI_Bcast(out, rank == root ? 7 : 0, rank == root ? empty : MPI_INT, root, MPI_COMM_WORLD);
    MPI_Gather(out, 4, empty, in, 4, empty, root, MPI_COMM_WORLD);
    MPI_Allgather(out, 4, empty, in, 0, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
    free(counts[0]);
    free(counts[1]);
    free(displs);
    free(out);
    free(in);
}

/* Of operations with counts: only the root knows them. */
static void spread(int root, int round, int *all, int *own)
{
    int *counts = ints(size), *displs = ints(size), at = 0;
    for (int r = 0; r < size; r++, at += counts[r - 1]) {
        counts[r] = (r + round) % 3 ? SHORT - r % 3 : 0;
        displs[r] = at;
    }
    int mine = counts[rank];
    for (int i = 0; i < SHORT * size; i++)
        all[i] = i + round;
    forget(own, SHORT);
    if (rank == root)
        MPI_Scatterv(all, counts, displs, MPI_INT, own, mine, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, mine ? own : NULL, mine, MPI_INT, root,
                     MPI_COMM_WORLD);
    for (int i = 0; i < mine; i++)
        wrong += own[i] != displs[rank] + i + round;
    forget(all, SHORT * size);
    if (rank == root)
        MPI_Gatherv(own, mine, MPI_INT, all, counts, displs, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Gatherv(own, mine, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < at; i++)
        wrong += all[i] != i + round;
    free(counts);
    free(displs);
}

/* In place what is sent is not significant. */
static void in_place(int root, int round, int *all, int *own)
{
    int *counts = ints(size), *displs = ints(size);
    for (int r = 0; r < size; r++) {
        counts[r] = SHORT - r % 2;
        displs[r] = r * SHORT;
    }
    for (int varies = 0; varies < 2; varies++) {
        for (int i = 0; i < SHORT * size; i++)
            all[i] = i / SHORT == rank ? i + round : -1;
        if (varies)
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
        else
            MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, SHORT, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < SHORT * size; i++)
            wrong += all[i] != i + round && (!varies || i % SHORT < counts[i / SHORT]);
    }
    for (int i = 0; i < SHORT * size; i++)
        all[i] = rank * 1000 + i + round;
    MPI_Alltoall(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, all, SHORT, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < SHORT * size; i++)
        wrong += all[i] != i / SHORT * 1000 + rank * SHORT + i % SHORT + round;
    for (int i = 0; i < SHORT * size; i++)
        all[i] = i + round;
    if (rank == root)
        MPI_Scatter(all, SHORT, MPI_INT, MPI_IN_PLACE, -3, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, -5, MPI_DATATYPE_NULL, own, SHORT, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < SHORT && rank != root; i++)
        wrong += own[i] != rank * SHORT + i + round;
    free(counts);
    free(displs);
}

static void insignificant(int round)
{
    int root = round % size, *all = ints(SHORT * size), *own = ints(SHORT);
    spread(root, round, all, own);
    in_place(root, round, all, own);
    for (int i = 0; i < SHORT; i++)
        own[i] = rank + i + round;
    if (rank == root)
        MPI_Reduce(MPI_IN_PLACE, own, SHORT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    else
        MPI_Reduce(own, NULL, SHORT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    for (int i = 0; i < SHORT && rank == root; i++)
        wrong += own[i] != size * (i + round) + size * (size - 1) / 2;
    free(all);
    free(own);
}

/* One operation on one buffer. After an error what is in it is not looked at. */
static int call_aliased(const char *name, int *all, int root)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int *own = all + rank * LONG;
    if (strcmp(name, "allreduce") == 0)
        return MPI_Allreduce(all, all, LONG, MPI_INT, MPI_SUM, comm);
    if (strcmp(name, "reduce") == 0)
        return MPI_Reduce(all, all, LONG, MPI_INT, MPI_SUM, root, comm);
    if (strcmp(name, "scan") == 0)
        return MPI_Scan(all, all, LONG, MPI_INT, MPI_SUM, comm);
    if (strcmp(name, "allgather") == 0)
        return MPI_Allgather(own, LONG, MPI_INT, all, LONG, MPI_INT, comm);
    if (strcmp(name, "gather") == 0)
        return MPI_Gather(own, LONG, MPI_INT, all, LONG, MPI_INT, root, comm);
    return MPI_Reduce_scatter_block(all, all, LONG, MPI_INT, MPI_SUM, comm);
}

static void alias(const char *name, int round)
{
    int *all = ints(LONG * size), root = round % size;
    int gathers = strstr(name, "gather") != NULL, here = strcmp(name, "gather") != 0 || rank == root;
    here = here && (strcmp(name, "reduce") != 0 || rank == root);
    int last = strcmp(name, "scan") == 0 ? rank : size - 1, first = name[6] == '_' ? rank * LONG : 0;
    for (int i = 0; i < LONG * size; i++)
        all[i] = !gathers || i / LONG == rank ? rank * (gathers ? 0 : 1) + i + round : -1;
    int error = call_aliased(name, all, root);
    refused += error != MPI_SUCCESS;
    for (int i = 0; !error && here && i < (gathers ? LONG * size : LONG); i++)
        wrong += all[i] != (gathers ? i + round : (last + 1) * (first + i + round) + last * (last + 1) / 2);
    free(all);
}

/* From rank 0: MPICH 4.0 itself sends others' by way of it, and writes it anew where it came from. */
static void constants(int round)
{
    int *buffer = mmap(NULL, SHORT * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < SHORT && rank == 0; i++)
        buffer[i] = i + round;
    if (rank == 0 && mprotect(buffer, SHORT * sizeof(int), PROT_READ) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int count = 1; count <= SHORT; count += SHORT - 1)
        MPI_Bcast(buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < SHORT; i++)
        wrong += buffer[i] != i + round;
    munmap(buffer, SHORT * sizeof(int));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm told; /* ranks that were refused have left messages behind on the other one */
    MPI_Comm_dup(MPI_COMM_WORLD, &told);
    const char *what = argc > 1 ? argv[1] : "";
    int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 20;
    if (argc > 3)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; round++)
        if (strcmp(what, "columns") == 0)
            columns(round);
        else if (strcmp(what, "empties") == 0)
            empties(round);
        else if (strcmp(what, "insignificant") == 0)
            insignificant(round);
        else if (strcmp(what, "constants") == 0)
            constants(round);
        else if (argc > 3)
            alias(argv[3], round);
    int mine[2] = {wrong, refused}, all[2];
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, told);
    if (rank == 0)
        printf("%s%s%s: %d wrong, %d refused\n", what, argc > 3 ? " " : "", argc > 3 ? argv[3] : "", all[0],
               all[1]);
    MPI_Comm_free(&told);
    MPI_Finalize();
    return 0;
}
