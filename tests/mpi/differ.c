/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose rank 1 makes another call than the others: differ CASE. Run it with --checked only. */
#include "program.h"

#include <string.h>

enum { N = 10, RANKS = 16 };

static int in[N * RANKS], out[N * RANKS];
static int rank, size;

static void last(void *a, void *b, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(b, a, (size_t)*count * sizeof(int));
}

static void all_alike(MPI_Op op)
{
    int counts[RANKS], displs[RANKS];
    for (int i = 0; i < size; i++) {
        counts[i] = N;
        displs[i] = i * N;
    }
    MPI_Bcast(in, N, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, in, N, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Alltoall(out, N, MPI_INT, in, N, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(out, N, MPI_INT, in, rank == 0 ? N : -1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(out, rank == 0 ? N : -1, MPI_INT, in, N, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : out, N, MPI_INT, in, N, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Gatherv(out, N, MPI_INT, in, rank ? NULL : counts, rank ? NULL : displs, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(out, rank ? NULL : counts, rank ? NULL : displs, MPI_INT, in, N, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(out, N, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void differ(const char *how, MPI_Op own)
{
    int counts[RANKS], displs[RANKS], odd = rank == 1, n = odd ? N - 1 : N;
    for (int i = 0; i < size; i++) {
        counts[i] = N;
        displs[i] = i * N;
    }
    if (strcmp(how, "root") == 0)
        MPI_Bcast(in, N, MPI_INT, odd, MPI_COMM_WORLD);
    if (strcmp(how, "bytes") == 0)
        MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "operation") == 0 && !odd)
        MPI_Bcast(in, N, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(how, "operation") == 0 && odd)
        MPI_Allreduce(out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "operator") == 0)
        MPI_Allreduce(out, in, N, MPI_INT, odd ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "own-operator") == 0)
        MPI_Allreduce(out, in, N, MPI_INT, odd ? own : MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "place") == 0)
        MPI_Allreduce(odd ? MPI_IN_PLACE : out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "block") == 0)
        MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    if (strcmp(how, "gather") == 0)
        MPI_Gather(out, n, MPI_INT, in, N, MPI_INT, 2, MPI_COMM_WORLD);
    if (strcmp(how, "scatter") == 0)
        MPI_Scatter(out, N, MPI_INT, in, n, MPI_INT, 2, MPI_COMM_WORLD);
    if (strcmp(how, "gatherv") == 0)
        MPI_Gatherv(out, n, MPI_INT, in, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(how, "scatterv") == 0)
        MPI_Scatterv(out, counts, displs, MPI_INT, in, n, MPI_INT, 0, MPI_COMM_WORLD);
    counts[2] = n;
    if (strcmp(how, "alltoallv") == 0) {
        int expected[RANKS];
        for (int i = 0; i < size; i++)
            expected[i] = N;
        MPI_Alltoallv(out, counts, displs, MPI_INT, in, expected, displs, MPI_INT, MPI_COMM_WORLD);
    }
    counts[3] += odd; /* the same sum, other counts */
    if (strcmp(how, "allgatherv") == 0)
        MPI_Allgatherv(out, N, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    if (strcmp(how, "split") == 0) {
        MPI_Comm pair;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &pair);
        MPI_Comm_set_name(pair, "a pair");
        MPI_Bcast(in, n, MPI_INT, 0, pair);
        MPI_Comm_free(&pair);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    MPI_Op own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(last, 0, &own);
    for (int i = 0; i < 4; i++)
        all_alike(own);
    differ(how, own);
    MPI_Op_free(&own);
    if (rank == 0)
        printf("the end is reached\n");
    return finish();
}
