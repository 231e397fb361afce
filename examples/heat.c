/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate, by finite differences: each rank has a block of points, and its neighbours' outermost ones
 * in a halo around it, which a request of startune exchanges before each step. The edges of the plate are
 * cold. heat [--size POINTS] [--steps N] prints the time and a checksum of all points, which is the same
 * whatever the number of ranks and the function that exchanged the halos. */
#include "startune.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plate {
    int size;               /* points along each side of the plate */
    int first[2], own[2];   /* of this rank's block, without the halo */
    double **now, **next;   /* with the halo */
    STAR_Vector vectors[2]; /* of these two */
    STAR_Request requests[2];
    MPI_Comm cart;
};

/* All that fails has said why. */
static void must(int error)
{
    if (error != STAR_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Blocks differ by a point where the plate cannot be divided; all faces that touch have the same length. */
static void divide(struct plate *plate)
{
    int dims[2] = {0, 0}, coords[2], rank, ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){0, 0}, 1, &plate->cart);
    MPI_Comm_rank(plate->cart, &rank);
    MPI_Cart_coords(plate->cart, rank, 2, coords);
    for (int d = 0; d < 2; d++) {
        plate->first[d] = (int)((long long)plate->size * coords[d] / dims[d]);
        plate->own[d] = (int)((long long)plate->size * (coords[d] + 1) / dims[d]) - plate->first[d];
    }
}

static void begin(struct plate *plate)
{
    STAR_Topology topology;
    int dims[2] = {plate->own[0] + 2, plate->own[1] + 2};
    must(STAR_Topology_create(plate->cart, &topology));
    must(STAR_Vector_allocate(2, dims, 1, MPI_DOUBLE, &plate->now, &plate->vectors[0]));
    must(STAR_Vector_allocate(2, dims, 1, MPI_DOUBLE, &plate->next, &plate->vectors[1]));
    for (int i = 0; i < 2; i++)
        must(
            STAR_Request_create(plate->vectors[i], topology, STAR_FNCTSET_NEIGHBORHOOD, &plate->requests[i]));
    must(STAR_Topology_free(&topology));
    for (int i = 1; i <= plate->own[0]; i++)
        for (int j = 1; j <= plate->own[1]; j++) {
            int row = plate->first[0] + i - 1, column = plate->first[1] + j - 1;
            plate->now[i][j] = (row * 7 + column * 13) % 100; /* warm, here more and there less */
        }
}

static void step(struct plate *plate, int number)
{
    must(STAR_Request_start(plate->requests[number % 2]));
    double **u = plate->now;
    for (int i = 1; i <= plate->own[0]; i++)
        for (int j = 1; j <= plate->own[1]; j++)
            plate->next[i][j] =
                u[i][j] + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    plate->now = plate->next;
    plate->next = u;
}

/* Of the exact bits of each point and its place, in any order. */
static uint64_t checksum(const struct plate *plate)
{
    uint64_t mine = 0, all;
    for (int i = 1; i <= plate->own[0]; i++)
        for (int j = 1; j <= plate->own[1]; j++) {
            uint64_t bits;
            memcpy(&bits, &plate->now[i][j], sizeof bits);
            uint64_t place = (uint64_t)(plate->first[0] + i) * 1000003 + (uint64_t)(plate->first[1] + j);
            mine += (bits ^ place) * 0x9e3779b97f4a7c15u;
        }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, plate->cart);
    return all;
}

static void end(struct plate *plate)
{
    for (int i = 0; i < 2; i++) {
        must(STAR_Request_free(&plate->requests[i]));
        must(STAR_Vector_free(&plate->vectors[i]));
    }
    MPI_Comm_free(&plate->cart);
}

/* The value behind NAME, or PRESET; 0 where it is no number. */
static int option(int argc, char **argv, const char *name, int preset)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return (int)strtol(argv[i + 1], NULL, 10);
    return preset;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct plate plate = {.size = option(argc, argv, "--size", 512)};
    int steps = option(argc, argv, "--steps", 200);
    if (argc % 2 == 0 || plate.size < 2 * ranks || plate.size > 30000 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: heat [--size POINTS] [--steps N]; two points for each rank at least\n");
        MPI_Finalize();
        return 2;
    }
    divide(&plate);
    begin(&plate);
    MPI_Barrier(plate.cart);
    double started = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        step(&plate, i);
    MPI_Barrier(plate.cart);
    double seconds = MPI_Wtime() - started;
    uint64_t sum = checksum(&plate);
    if (rank == 0)
        printf("heat: %d x %d points, %d ranks, %d steps: %.3f s, checksum %016llx\n", plate.size, plate.size,
               ranks, steps, seconds, (unsigned long long)sum);
    end(&plate);
    MPI_Finalize();
    return 0;
}
