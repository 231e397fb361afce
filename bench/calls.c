/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of one operation, natively and as startune does them, in one run: first as many as it takes to tune,
 * then both in turns, shuffled. Run under `startune run`; bench/networks does, on emulated clusters. Prints
 * JSON: seconds per call, as means over the ranks. calls OPERATION BYTES TUNING-SECONDS TUNING-CALLS
 * REPETITIONS CALLS */
#include "native.h"

#include <string.h>
#include <time.h>

static int ranks, rank;
static int64_t bytes;
static char *from, *to;
static __typeof__(PMPI_Alltoall) *native_alltoall;
static __typeof__(PMPI_Allgather) *native_allgather;
static __typeof__(PMPI_Allreduce) *native_allreduce;
static __typeof__(PMPI_Bcast) *native_bcast;
static __typeof__(PMPI_Barrier) *native_barrier;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void alltoall(int native)
{
    (native ? native_alltoall : MPI_Alltoall)(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE,
                                              MPI_COMM_WORLD);
}

static void allgather(int native)
{
    (native ? native_allgather : MPI_Allgather)(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE,
                                                MPI_COMM_WORLD);
}

static void allreduce(int native)
{
    (native ? native_allreduce : MPI_Allreduce)(from, to, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM,
                                                MPI_COMM_WORLD);
}

static void bcast(int native)
{
    (native ? native_bcast : MPI_Bcast)(from, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(int native);
    int everyone; /* blocks for, or of, all ranks */
} operations[] = {
    {"alltoall", alltoall, 1}, {"allgather", allgather, 1}, {"allreduce", allreduce, 0}, {"bcast", bcast, 0}};

/* Seconds of a call, as the mean over COUNT calls and all ranks; all begin together. */
static double time_of(void (*call)(int native), int native, int count)
{
    double all;
    native_barrier(MPI_COMM_WORLD);
    double begin = now();
    for (int i = 0; i < count; i++)
        call(native);
    double mine = (now() - begin) / count;
    native_allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ranks;
}

static void print_list(const char *key, const double *values, int count)
{
    printf(", \"%s\": [", key);
    for (int i = 0; i < count; i++)
        printf("%s%.9g", i ? ", " : "", values[i]);
    printf("]");
}

static void measure(void (*call)(int native), double budget, int most, int repetitions, int calls)
{
    double *tuned = calloc((size_t)repetitions, sizeof *tuned);
    double *native = calloc((size_t)repetitions, sizeof *native), spent = 0;
    int count = 0;
    if (tuned == NULL || native == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (; count < most && spent < budget; count++) /* all ranks have the same sum */
        spent += time_of(call, 0, 1);
    srand(1);
    for (int i = 0; i < repetitions; i++) {
        int native_first = rand() % 2;
        for (int k = 0; k < 2; k++) {
            int is_native = k == 0 ? native_first : !native_first;
            call(is_native); /* the first one after the other is not counted */
            (is_native ? native : tuned)[i] = time_of(call, is_native, calls);
        }
    }
    if (rank == 0) {
        printf("{\"ranks\": %d, \"bytes\": %lld, \"tuning_calls\": %d, \"tuning_seconds\": %.6g", ranks,
               (long long)bytes, count, spent);
        print_list("tuned", tuned, repetitions);
        print_list("native", native, repetitions);
        printf("}\n");
    }
    free(tuned);
    free(native);
}

int main(int argc, char **argv)
{
    int which = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    NATIVE_FIND("PMPI_Alltoall", native_alltoall);
    NATIVE_FIND("PMPI_Allgather", native_allgather);
    NATIVE_FIND("PMPI_Allreduce", native_allreduce);
    NATIVE_FIND("PMPI_Bcast", native_bcast);
    NATIVE_FIND("PMPI_Barrier", native_barrier);
    for (int i = 0; argc == 7 && i < (int)(sizeof operations / sizeof *operations); i++)
        if (strcmp(argv[1], operations[i].name) == 0)
            which = i;
    if (which < 0) {
        fprintf(stderr, "usage: calls OPERATION BYTES TUNING-SECONDS TUNING-CALLS REPETITIONS CALLS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bytes = atoll(argv[2]);
    size_t room = (size_t)bytes * (operations[which].everyone ? (size_t)ranks : 1);
    from = calloc(room + 8, 1);
    to = calloc(room + 8, 1);
    if (from == NULL || to == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    measure(operations[which].call, atof(argv[3]), atoi(argv[4]), atoi(argv[5]), atoi(argv[6]));
    MPI_Finalize();
    free(from);
    free(to);
    return 0;
}
