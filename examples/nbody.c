/* SPDX-License-Identifier: BSD-3-Clause
 * Bodies that attract each other, step by step: each rank moves its own, for which it needs the places of
 * all, by MPI_Allgather. Every body adds up the pull of the others in the same order, and energies are added
 * up body by body on rank 0, so that the result is the same to the last bit whatever the number of ranks or
 * the order of messages. Prints one line: the time, what the energy changed by, and a checksum of all places.
 * Knows nothing of startune. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_STEP 1e-3 /* a body crosses the cloud in some thousands */
#define SOFTENING 1e-2 /* bodies that meet pass through each other */

struct vector {
    double x, y, z;
};

struct bodies {
    int all, own, first;         /* how many; this rank's, and the first of them */
    struct vector *place;        /* of all bodies, of mass 1 / ALL */
    struct vector *speed, *pull; /* of the own ones */
};

/* In [-1, 1), the same on every machine. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static void *must(void *memory)
{
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* A cube of bodies at rest. */
static void begin(struct bodies *bodies, int all, int rank, int ranks)
{
    uint64_t state = 1;
    *bodies = (struct bodies){.all = all, .own = all / ranks, .first = rank * (all / ranks)};
    bodies->place = must(malloc((size_t)all * sizeof *bodies->place));
    bodies->speed = must(calloc((size_t)bodies->own, sizeof *bodies->speed));
    bodies->pull = must(calloc((size_t)bodies->own, sizeof *bodies->pull));
    for (int i = 0; i < all; i++) {
        bodies->place[i].x = draw(&state);
        bodies->place[i].y = draw(&state);
        bodies->place[i].z = draw(&state);
    }
}

static void end(struct bodies *bodies)
{
    free(bodies->place);
    free(bodies->speed);
    free(bodies->pull);
}

/* Everybody gets the places that the others have moved to. */
static void share(struct bodies *bodies)
{
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bodies->place, 3 * bodies->own, MPI_DOUBLE,
                  MPI_COMM_WORLD);
}

/* From A to B, and the inverse of how far that is. */
static struct vector way(struct vector a, struct vector b, double *inverse)
{
    struct vector d = {b.x - a.x, b.y - a.y, b.z - a.z};
    *inverse = 1 / sqrt(d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING * SOFTENING);
    return d;
}

static void attract(struct bodies *bodies)
{
    for (int i = 0; i < bodies->own; i++) {
        struct vector sum = {0, 0, 0};
        for (int j = 0; j < bodies->all; j++) {
            double inverse;
            struct vector d = way(bodies->place[bodies->first + i], bodies->place[j], &inverse);
            double strength = inverse * inverse * inverse / bodies->all;
            sum.x += d.x * strength;
            sum.y += d.y * strength;
            sum.z += d.z * strength;
        }
        bodies->pull[i] = sum;
    }
}

static void change(struct vector *vector, const struct vector *by, double time)
{
    vector->x += by->x * time;
    vector->y += by->y * time;
    vector->z += by->z * time;
}

/* Leapfrog: half a step of speed, a step of place, half a step of speed. */
static void step(struct bodies *bodies)
{
    for (int i = 0; i < bodies->own; i++) {
        change(&bodies->speed[i], &bodies->pull[i], TIME_STEP / 2);
        change(&bodies->place[bodies->first + i], &bodies->speed[i], TIME_STEP);
    }
    share(bodies);
    attract(bodies);
    for (int i = 0; i < bodies->own; i++)
        change(&bodies->speed[i], &bodies->pull[i], TIME_STEP / 2);
}

/* Of motion, and, half of it each body's, of each pair. On rank 0. */
static double energy(const struct bodies *bodies, int rank)
{
    double *mine = must(calloc((size_t)bodies->own, sizeof *mine)), sum = 0;
    double *all = rank ? NULL : must(calloc((size_t)bodies->all, sizeof *all));
    for (int i = 0; i < bodies->own; i++) {
        struct vector v = bodies->speed[i];
        mine[i] = (v.x * v.x + v.y * v.y + v.z * v.z) / 2;
        for (int j = 0; j < bodies->all; j++) {
            double inverse;
            way(bodies->place[bodies->first + i], bodies->place[j], &inverse);
            if (j != bodies->first + i)
                mine[i] -= inverse / bodies->all / 2;
        }
    }
    MPI_Gather(mine, bodies->own, MPI_DOUBLE, all, bodies->own, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; all != NULL && i < bodies->all; i++)
        sum += all[i] / bodies->all;
    free(mine);
    free(all);
    return sum;
}

/* Of the exact bits of all places. */
static uint64_t checksum(const struct bodies *bodies)
{
    uint64_t sum = 0;
    const double *numbers = &bodies->place[0].x;
    for (int i = 0; i < 3 * bodies->all; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static void simulate(int all, long steps, int rank, int ranks)
{
    struct bodies bodies;
    begin(&bodies, all, rank, ranks);
    attract(&bodies);
    double before = energy(&bodies, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double started = MPI_Wtime();
    for (long i = 0; i < steps; i++)
        step(&bodies);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - started, after = energy(&bodies, rank);
    if (rank == 0)
        printf(
            "nbody: %d bodies, %d ranks, %ld steps: %.3f s, energy changed by %.1e of it, checksum %016llx\n",
            all, ranks, steps, seconds, fabs((after - before) / before),
            (unsigned long long)checksum(&bodies));
    end(&bodies);
}

/* The value behind NAME, or PRESET; 0 where it is no number. */
static long option(int argc, char **argv, const char *name, long preset)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return strtol(argv[i + 1], NULL, 10);
    return preset;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long all = option(argc, argv, "--size", 2048), steps = option(argc, argv, "--steps", 100);
    int good = argc % 2 == 1 && all > 0 && all <= 1000000 && steps > 0 && all % ranks == 0;
    if (good)
        simulate((int)all, steps, rank, ranks);
    else if (rank == 0)
        fprintf(stderr, "usage: nbody [--size BODIES] [--steps N]; the number of ranks divides the bodies\n");
    MPI_Finalize();
    return good ? 0 : 2;
}
