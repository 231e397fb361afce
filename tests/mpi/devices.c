/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program whose buffers lie in a device's memory: devices WHERE ROUNDS, where WHERE is none, all,
 * one (rank), some (now these ranks, now those), or late (some, once the driver was loaded, in the middle).
 * Prints numbers that follow from all data received. */
#include "device.h"
#include "each.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lies_there(const char *where, int rank, int round)
{
    return strcmp(where, "all") == 0 || (strcmp(where, "one") == 0 && rank == 1) ||
           ((strcmp(where, "some") == 0 || (strcmp(where, "late") == 0 && round > 1)) &&
            (rank + round) % 3 == 0);
}

static void load_driver(void)
{
    if (dlopen("libcuda.so", RTLD_LAZY | RTLD_LOCAL) != NULL)
        return;
    fprintf(stderr, "FAILED: %s\n", dlerror());
    exit(1);
}

static uint64_t reduce_in_background(const char *where, int rank, uint64_t number)
{
    enum { ROUNDS = 40 };
    for (int round = 0; round < ROUNDS; round++) {
        int here[2] = {rank + round}, *number_at = lies_there(where, rank, round) ? device_memory() : here;
        MPI_Request request;
        device_open(true);
        number_at[0] = rank + round;
        device_open(false);
        MPI_Iallreduce(&number_at[0], &number_at[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        device_open(true);
        number = each_mix(number, (uint64_t)number_at[1]);
        device_open(false);
    }
    return number;
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 3, 40, 400};
    int rank, rounds = argc > 2 ? atoi(argv[2]) : 8;
    bool late = argc > 1 && strcmp(argv[1], "late") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    each_begin();
    for (int which = 0; argc > 1 && which < EACH_OPERATIONS; which++) {
        uint64_t number = 0;
        for (int round = 0; round < rounds; round++) {
            if (!late || round > 1)
                load_driver();
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                for (int form = 0; form < EACH_FORMS; form++) {
                    const struct each_call call = {
                        .which = which,
                        .form = (enum each_form)form,
                        .comm = MPI_COMM_WORLD,
                        .count = counts[i],
                        .round = round,
                        .memory = lies_there(argv[1], rank, round) ? device_memory() : NULL,
                        .open = device_open};
                    number = each_mix(number, each_make(&each_mpi, &call));
                }
        }
        each_say(each_name[which], number);
    }
    if (argc > 1)
        each_say("iallreduce", reduce_in_background(argv[1], rank, 0));
    each_end();
    MPI_Finalize();
    return 0;
}
