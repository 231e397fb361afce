/* SPDX-License-Identifier: BSD-3-Clause
 * What a request costs beside the same exchange written by hand: STAR_Request_run once it has decided, and
 * MPI_Irecv, MPI_Isend and MPI_Waitall, in turns within one run, of one value of 8 bytes with each of two
 * neighbours in a ring. starts [CALLS]: prints medians over turns, in nanoseconds a call, of rank 0. With
 * STARTUNE_FORCE=neighborhood:isend_irecv (and STARTUNE=on) both make the same calls of MPI. */
#include "startune.h"
#include "util/quantile.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURN = 1000, WARM = 20 };

static double vector[4]; /* two inner values, and the neighbours' on either side */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void by_hand(MPI_Comm comm, int left, int right)
{
    MPI_Request request[4];
    PMPI_Irecv(&vector[0], 1, MPI_DOUBLE, left, 1, comm, &request[0]);
    PMPI_Irecv(&vector[3], 1, MPI_DOUBLE, right, 0, comm, &request[1]);
    PMPI_Isend(&vector[1], 1, MPI_DOUBLE, left, 0, comm, &request[2]);
    PMPI_Isend(&vector[2], 1, MPI_DOUBLE, right, 1, comm, &request[3]);
    PMPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static STAR_Request make(MPI_Comm ring)
{
    STAR_Request request = STAR_REQUEST_NULL;
    STAR_Topology topology;
    STAR_Vector values;
    if (STAR_Topology_create(ring, &topology) ||
        STAR_Vector_register(1, (int[]){4}, 1, MPI_DOUBLE, vector, &values) ||
        STAR_Request_create(values, topology, STAR_FNCTSET_NEIGHBORHOOD, &request))
        MPI_Abort(ring, 1);
    STAR_Vector_deregister(&values);
    STAR_Topology_free(&topology);
    return request;
}

int main(int argc, char **argv)
{
    int turns = (argc > 1 ? atoi(argv[1]) : 200000) / TURN, size, rank, left, right, current;
    char name[STAR_MAX_NAME];
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    double *with = malloc((size_t)turns * sizeof *with), *without = malloc((size_t)turns * sizeof *without),
           *added = malloc((size_t)turns * sizeof *added);
    STAR_Request request = make(ring);
    for (int i = 0; i < WARM * TURN; i++) /* past the decision */
        STAR_Request_run(request);
    for (int turn = 0; turn < turns; turn++) {
        double begin = now();
        for (int i = 0; i < TURN; i++)
            STAR_Request_run(request);
        double middle = now();
        for (int i = 0; i < TURN; i++)
            by_hand(ring, left, right);
        with[turn] = (middle - begin) / TURN;
        without[turn] = (now() - middle) / TURN;
        added[turn] = with[turn] - without[turn];
    }
    STAR_Request_get_functions(request, &(int){0}, &current);
    STAR_Request_get_function(request, current, name, NULL);
    star_sort(with, turns);
    star_sort(without, turns);
    star_sort(added, turns);
    if (rank == 0)
        printf("%s: %.1f ns, by hand %.1f ns, added %.1f ns (middle half %.1f to %.1f)\n", name,
               star_quantile(with, turns, 0.5), star_quantile(without, turns, 0.5),
               star_quantile(added, turns, 0.5), star_quantile(added, turns, 0.25),
               star_quantile(added, turns, 0.75));
    STAR_Request_free(&request);
    MPI_Comm_free(&ring);
    free(with);
    free(without);
    free(added);
    MPI_Finalize();
    return 0;
}
