/* SPDX-License-Identifier: BSD-3-Clause
 * More than 2^31 bytes in all, of fewer elements than that, or of one; and more elements, by MPI-4's
 * bindings: wide SECTION. Verifies its own numbers. For 2 ranks; exit status 77 where there is not enough
 * memory. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 2 };
static int rank, size;

/* One value in a page is enough to see a piece that is missing, or at the wrong place. */
enum { STEP = 509 };

static double value(int from, int64_t i, int round)
{
    return (double)(from + 1) * 1e6 + (double)(i % 1000003) + round;
}

static void fill(double *array, int64_t length, int from, int round)
{
    for (int64_t i = 0; i < length; i += STEP)
        array[i] = value(from, i, round);
}

static void check(const char *what, const double *array, int64_t length, int from, int round)
{
    for (int64_t i = 0; i < length; i += STEP)
        if (array[i] < value(from, i, round) || array[i] > value(from, i, round)) {
            fprintf(stderr, "FAILED: %s: element %lld, round %d\n", what, (long long)i, round);
            return;
        }
}

static void bcast(int64_t length)
{
    double *all = calloc((size_t)length, sizeof *all);
    for (int round = 0; round < ROUNDS; round++) {
        int root = round % size;
        if (rank == root)
            fill(all, length, root, round);
        MPI_Bcast(all, (int)length, MPI_DOUBLE, root, MPI_COMM_WORLD);
        check("bcast", all, length, root, round);
    }
    free(all);
}

static void allgather(int64_t length)
{
    double *all = calloc((size_t)(length * size), sizeof *all), *mine = calloc((size_t)length, sizeof *mine);
    for (int round = 0; round < ROUNDS; round++) {
        fill(mine, length, rank, round);
        MPI_Allgather(mine, (int)length, MPI_DOUBLE, all, (int)length, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int from = 0; from < size; from++)
            check("allgather", all + from * length, length, from, round);
    }
    free(all);
    free(mine);
}

static void allreduce(int64_t length)
{
    double *all = calloc((size_t)length, sizeof *all), *mine = calloc((size_t)length, sizeof *mine);
    for (int round = 0; round < ROUNDS; round++) {
        fill(mine, length, rank, round);
        MPI_Allreduce(mine, all, (int)length, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        check("allreduce", all, length, size - 1, round);
    }
    free(all);
    free(mine);
}

/* One element of LENGTH doubles, with a gap in its middle. */
static void element(int64_t length)
{
    int half = (int)(length / 2);
    double *all = calloc((size_t)half * 2 + 1, sizeof *all);
    MPI_Datatype type;
    MPI_Type_vector(2, half, half + 1, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int round = 0; round < ROUNDS; round++) {
        int root = round % size;
        if (rank == root) {
            fill(all, half, root, round);
            fill(all + half + 1, half, root, round + 1);
        }
        all[half] = rank;
        MPI_Bcast(all, 1, type, root, MPI_COMM_WORLD);
        check("bcast of one element", all, half, root, round);
        check("bcast of one element, behind its gap", all + half + 1, half, root, round + 1);
        if ((int)all[half] != rank)
            fprintf(stderr, "FAILED: bcast of one element: its gap is written, round %d\n", round);
    }
    MPI_Type_free(&type);
    free(all);
}

#if MPI_VERSION >= 4
/* A count that no int holds. */
static void counted(void)
{
    MPI_Count length = ((MPI_Count)1 << 31) + 4097;
    char *all = calloc((size_t)length, 1);
    for (int round = 0; round < ROUNDS; round++) {
        int root = round % size;
        for (MPI_Count i = 0; rank == root && i < length; i += STEP)
            all[i] = (char)(i * 7 + round);
        MPI_Bcast_c(all, length, MPI_CHAR, root, MPI_COMM_WORLD);
        for (MPI_Count i = 0; i < length; i += STEP)
            if (all[i] != (char)(i * 7 + round)) {
                fprintf(stderr, "FAILED: bcast of more elements than an int counts, at %lld\n", (long long)i);
                break;
            }
    }
    free(all);
}
#endif

int main(int argc, char **argv)
{
    const char *section = argc > 1 ? argv[1] : "";
    int64_t gigabytes = sysconf(_SC_AVPHYS_PAGES) / ((1 << 30) / sysconf(_SC_PAGESIZE));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int64_t most = 0;
    MPI_Allreduce(&gigabytes, &most, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    if (most >= 16) {
        int64_t doubles = ((int64_t)1 << 28) + 77; /* more than 2^31 bytes */
        if (strcmp(section, "bcast") == 0)
            bcast(doubles);
        if (strcmp(section, "allgather") == 0)
            allgather(doubles / 2 + 99);
        if (strcmp(section, "allreduce") == 0)
            allreduce(doubles);
        if (strcmp(section, "element") == 0)
            element(doubles);
#if MPI_VERSION >= 4
        if (strcmp(section, "counted") == 0)
            counted();
#endif
        if (rank == 0)
            printf("wide %s: done\n", section);
    }
    MPI_Finalize();
    return most >= 16 ? 0 : 77;
}
