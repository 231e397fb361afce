/* SPDX-License-Identifier: BSD-3-Clause
 * Transforms a field forward and back, over and over: the all-to-all of its transposes is what takes the
 * time. Prints the time of an iteration, and a checksum of every bit of the result: another order of messages
 * may change the first and never the second. Knows nothing of startune. */
#include "transform.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The field at the point of this global INDEX: in [-1, 1), whatever the number of ranks. */
static double field(ptrdiff_t index, int part)
{
    return (double)(scramble(2 * (uint64_t)index + (uint64_t)part + 1) >> 11) * 0x1p-52 - 1;
}

static void fill(const struct transform *transform)
{
    for (ptrdiff_t i = 0; i < transform->count; i++)
        for (int part = 0; part < 2; part++)
            transform->data[i][part] = field(transform->start + i, part);
}

static void scale(const struct transform *transform)
{
    double factor = 1 / ((double)transform->n[0] * (double)transform->n[1] * (double)transform->n[2]);
    for (ptrdiff_t i = 0; i < transform->count; i++)
        for (int part = 0; part < 2; part++)
            transform->data[i][part] *= factor;
}

static double deviation(const struct transform *transform)
{
    double mine = 0, largest;
    for (ptrdiff_t i = 0; i < transform->count; i++)
        for (int part = 0; part < 2; part++)
            mine = fmax(mine, fabs(transform->data[i][part] - field(transform->start + i, part)));
    MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return largest;
}

/* Of the exact bits of all ranks' results, in the order of the ranks. Meaningful at rank 0. */
static uint64_t checksum(const struct transform *transform, int rank, int ranks)
{
    uint64_t mine = 0, whole = 0, *all = rank ? NULL : malloc((size_t)ranks * sizeof *all);
    for (ptrdiff_t i = 0; i < transform->count; i++)
        for (int part = 0; part < 2; part++) {
            uint64_t bits;
            memcpy(&bits, &transform->data[i][part], sizeof bits);
            mine = scramble(mine ^ bits) + 1;
        }
    MPI_Gather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int r = 0; all != NULL && r < ranks; r++)
        whole = scramble(whole ^ all[r]) + 1;
    free(all);
    return whole;
}

/* "64" or "64x32x128" */
static int read_size(const char *text, ptrdiff_t *n)
{
    char rest;
    int count = sscanf(text, "%tdx%tdx%td%c", &n[0], &n[1], &n[2], &rest);
    if (count == 1 && strchr(text, 'x') == NULL)
        n[1] = n[2] = n[0];
    else if (count != 3)
        return 0;
    return n[0] > 0 && n[1] > 0 && n[2] > 0;
}

static double iterate(struct transform *transform, long iterations)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (long i = 0; i < iterations; i++) {
        transform_forward(transform);
        transform_backward(transform);
        scale(transform);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / (double)iterations;
}

int main(int argc, char **argv)
{
    struct transform transform = {.n = {64, 64, 64}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long iterations = argc > 2 ? strtol(argv[2], NULL, 10) : 100;
    const char *wrong = "usage: [SIZE or NxNxN [ITERATIONS]]";
    if (argc <= 3 && iterations > 0 && (argc < 2 || read_size(argv[1], transform.n)))
        wrong = transform_new(&transform);
    if (wrong != NULL) {
        if (rank == 0)
            fprintf(stderr, "%s: %s\n", transform_name, wrong);
        MPI_Finalize();
        return 2;
    }
    fill(&transform);
    double seconds = iterate(&transform, iterations), largest = deviation(&transform);
    uint64_t sum = checksum(&transform, rank, ranks);
    if (rank == 0) {
        printf("%s: %td x %td x %td points, %d ranks, %ld iterations, each forward and back\n",
               transform_name, transform.n[0], transform.n[1], transform.n[2], ranks, iterations);
        printf("milliseconds per iteration: %.3f\n", 1e3 * seconds);
        printf("largest deviation from the field: %.2g\n", largest);
        printf("checksum: %016llx\n", (unsigned long long)sum);
    }
    transform_free(&transform);
    MPI_Finalize();
    return 0;
}
