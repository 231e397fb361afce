/* SPDX-License-Identifier: BSD-3-Clause
 * What it costs startune to begin with a size that it has not met yet: the first call of that size, less a
 * native one, in native calls of the same size. Run under `startune run --sizes 1000`. startup */
#include "native.h"
#include "util/quantile.h"

#include <time.h>

enum { SIZES = 40, CALLS = 10, MOST = 65536 + SIZES * 8 };

static int ranks;
static char *from, *to;
static __typeof__(PMPI_Alltoall) *native_alltoall;
static __typeof__(PMPI_Allreduce) *native_allreduce;
static __typeof__(PMPI_Barrier) *native_barrier;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void exchange(int bytes, int native)
{
    (native ? native_alltoall : MPI_Alltoall)(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void sum(int bytes, int native)
{
    (native ? native_allreduce : MPI_Allreduce)(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Nanoseconds of a call, as the mean over the ranks. */
static double time_of(void (*call)(int bytes, int native), int bytes, int native, int calls)
{
    double all;
    native_barrier(MPI_COMM_WORLD);
    double begin = now();
    for (int i = 0; i < calls; i++)
        call(bytes, native);
    double mine = (now() - begin) / calls;
    native_allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ranks;
}

static void measure(const char *name, void (*call)(int bytes, int native), int bytes, int rank)
{
    double cost[SIZES], spent[SIZES];
    for (int i = 0; i < 10; i++) /* past what is done once for a communicator */
        call(8, 0);
    for (int i = 0; i < SIZES; i++) {
        int size = bytes + 8 * (i + 1);
        time_of(call, size, 1, CALLS);
        double native = time_of(call, size, 1, CALLS), first = time_of(call, size, 0, 1);
        spent[i] = (first - native) * 1e-3;
        cost[i] = (first - native) / native;
    }
    star_sort(cost, SIZES);
    star_sort(spent, SIZES);
    if (rank == 0)
        printf("%-9s about %5d bytes, %d ranks: %.1f native calls (middle half %.1f to %.1f), %.0f us\n",
               name, bytes, ranks, star_quantile(cost, SIZES, 0.5), star_quantile(cost, SIZES, 0.25),
               star_quantile(cost, SIZES, 0.75), star_quantile(spent, SIZES, 0.5));
}

int main(int argc, char **argv)
{
    int rank;
    NATIVE_FIND("PMPI_Alltoall", native_alltoall);
    NATIVE_FIND("PMPI_Allreduce", native_allreduce);
    NATIVE_FIND("PMPI_Barrier", native_barrier);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    from = calloc((size_t)ranks, MOST);
    to = calloc((size_t)ranks, MOST);
    if (from == NULL || to == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int bytes = 64; bytes <= 65536; bytes *= 32) {
        measure("alltoall", exchange, bytes, rank);
        measure("allreduce", sum, bytes, rank);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
