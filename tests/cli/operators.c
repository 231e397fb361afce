/* SPDX-License-Identifier: BSD-3-Clause
 * operators OPERATION BYTES…: an ordinary MPI program that reduces vectors of each of the sizes by an
 * operator that is not commutative, at each root. Exit status 1: a result is not that of the ranks' order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x → factor · x + sum. One after the other they are one again, and not the same one in another order. */
struct line {
    unsigned factor, sum;
};

static struct line after(struct line left, struct line right)
{
    return (struct line){left.factor * right.factor, left.factor * right.sum + left.sum};
}

static void combine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct line *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] = after(left[i], right[i]);
}

static struct line of_rank(int rank, int i)
{
    return (struct line){2 * (unsigned)(7 * rank + i % 13) + 3, 1000 * (unsigned)rank + (unsigned)i + 1};
}

static struct line of_all(int ranks, int i)
{
    struct line all = of_rank(ranks - 1, i);
    for (int rank = ranks - 2; rank >= 0; rank--)
        all = after(of_rank(rank, i), all);
    return all;
}

/* Calls OPERATION on vectors of COUNT elements, and returns how many come out; *FIRST is the first of them.
 */
static int reduce(const char *operation, struct line *in, struct line *out, int count, int root, int *first,
                  MPI_Datatype type, MPI_Op op)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    *first = 0;
    if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
        return count;
    }
    if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(in, out, count, type, op, root, MPI_COMM_WORLD);
        return rank == root ? count : 0;
    }
    int *counts = malloc((size_t)ranks * sizeof *counts);
    if (counts == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < ranks; r++)
        counts[r] = count / ranks;
    *first = count / ranks * rank;
    if (strcmp(operation, "reduce_scatter") == 0)
        MPI_Reduce_scatter(in, out, counts, type, op, MPI_COMM_WORLD);
    else
        MPI_Reduce_scatter_block(in, out, count / ranks, type, op, MPI_COMM_WORLD);
    free(counts);
    return count / ranks;
}

static int count_wrong(const char *operation, int count, int root, int ranks, MPI_Datatype type, MPI_Op op)
{
    int rank, first, wrong = 0;
    struct line *in = calloc((size_t)count, sizeof *in), *out = calloc((size_t)count, sizeof *out);
    if (in == NULL || out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; i++)
        in[i] = of_rank(rank, i);
    int came = reduce(operation, in, out, count, root, &first, type, op);
    for (int i = 0; i < came; i++) {
        struct line right = of_all(ranks, first + i);
        wrong += out[i].factor != right.factor || out[i].sum != right.sum;
    }
    free(in);
    free(out);
    return wrong;
}

int main(int argc, char **argv)
{
    int ranks, wrong = 0;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(combine, 0, &op);
    for (int i = 2; i < argc; i++)
        for (int root = 0; root < ranks; root++)
            wrong += count_wrong(argv[1], atoi(argv[i]) / (int)sizeof(struct line), root, ranks, type, op);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Finalize();
    return wrong > 0;
}
