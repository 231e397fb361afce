/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that make communicators of overlapping groups, each with its own tag: groups THREADS TIMES CALLS.
 * Each makes one of the lower half of the ranks, and then one of all, meets there, and frees it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MOST = 16 };
static MPI_Group all, half;
static int rank, size, times = 50, calls = 6;

static void use(MPI_Group group, int tag)
{
    MPI_Comm comm;
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm);
    for (int i = 0; i < calls; i++)
        MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

static void *work(void *tag)
{
    for (int i = 0; i < times; i++) {
        if (rank <= size / 2)
            use(half, *(int *)tag);
        use(all, *(int *)tag);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 4, level, tag[THREADS_MOST];
    pthread_t thread[THREADS_MOST];
    times = argc > 2 ? atoi(argv[2]) : times;
    calls = argc > 3 ? atoi(argv[3]) : calls;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int lower[1][3] = {{0, size / 2, 1}};
    MPI_Group_range_incl(all, 1, lower, &half);
    for (int i = 0; i < threads; i++) {
        tag[i] = i;
        pthread_create(&thread[i], NULL, work, &tag[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    MPI_Group_free(&all);
    MPI_Group_free(&half);
    MPI_Finalize();
    return 0;
}
