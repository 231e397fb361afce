/* SPDX-License-Identifier: BSD-3-Clause
 * Two threads on two communicators at once, and communicators that come and go in both: threads [CALLS]. Exit
 * status 77 where the MPI library does not provide MPI_THREAD_MULTIPLE. */
#include "program.h"

#include <pthread.h>

static int calls = 3000;

static void *work(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    for (int call = 0; call < calls; call++)
        exchange("two threads", comm, 1 + call % 4 * 25, call % 5 == 0, call);
    for (int cycle = 0; cycle < calls / 30; cycle++) {
        MPI_Comm inner;
        MPI_Comm_dup(comm, &inner);
        for (int call = 0; call < 12; call++)
            exchange("two threads, short-lived communicators", inner, 3, 0, call);
        MPI_Comm_free(&inner);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Comm comms[2];
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    if (argc > 1)
        calls = atoi(argv[1]);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &comms[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("threads: %d calls in each, done\n", calls);
    return finish();
}
