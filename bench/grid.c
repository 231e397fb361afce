/* SPDX-License-Identifier: BSD-3-Clause
 * A program with a grid of two dimensions: grid [STEPS [BYTES [PERIODIC]]]. In each of STEPS, each rank sends
 * BYTES to each of its neighbours, and gets as much. The communicator is made with `reorder` true. It knows
 * nothing of startune, and is timed from outside; rank 0 prints the seconds of the steps. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 2, WAYS = 2 * DIMENSIONS };

static void exchange(MPI_Comm grid, const int *neighbor, char *memory, int bytes)
{
    MPI_Request request[2 * WAYS];
    for (int w = 0; w < WAYS; w++)
        MPI_Irecv(memory + (size_t)w * (size_t)bytes, bytes, MPI_BYTE, neighbor[w], w, grid, &request[w]);
    for (int w = 0; w < WAYS; w++) /* what comes from below was sent upwards */
        MPI_Isend(memory + (size_t)(WAYS + w) * (size_t)bytes, bytes, MPI_BYTE, neighbor[w], w ^ 1, grid,
                  &request[WAYS + w]);
    MPI_Waitall(2 * WAYS, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20, bytes = argc > 2 ? atoi(argv[2]) : 32768;
    int wraps = argc > 3 ? atoi(argv[3]) : 1, size, rank, neighbor[WAYS];
    int sizes[DIMENSIONS] = {0}, periodic[DIMENSIONS] = {wraps, wraps};
    MPI_Comm grid;
    char *memory = calloc((size_t)2 * WAYS, (size_t)bytes);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMENSIONS, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, sizes, periodic, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int d = 0; d < DIMENSIONS; d++)
        MPI_Cart_shift(grid, d, 1, &neighbor[2 * d], &neighbor[2 * d + 1]);
    if (memory == NULL)
        MPI_Abort(grid, 1);
    MPI_Barrier(grid);
    double begin = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        exchange(grid, neighbor, memory, bytes);
    MPI_Barrier(grid);
    if (rank == 0)
        printf("%.4f\n", MPI_Wtime() - begin);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    free(memory);
    return 0;
}
