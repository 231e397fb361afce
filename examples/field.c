/* SPDX-License-Identifier: BSD-3-Clause */
#include "field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t points_of(const struct field *field)
{
    size_t points = 1;
    for (int d = 0; d < field->dimensions; d++)
        points *= (size_t)field->dims[d];
    return points;
}

/* Blocks differ by a point where the whole cannot be divided; all faces that touch are equal. */
static void divide(struct field *field)
{
    int ranks, rank, grid[3] = {0}, coords[3], outside[3] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, field->dimensions, grid);
    MPI_Cart_create(MPI_COMM_WORLD, field->dimensions, grid, outside, 1, &field->cart);
    MPI_Comm_rank(field->cart, &rank);
    MPI_Cart_coords(field->cart, rank, field->dimensions, coords);
    for (int d = 0; d < field->dimensions; d++) {
        field->first[d] = (int)((long long)field->size * coords[d] / grid[d]);
        field->own[d] = (int)((long long)field->size * (coords[d] + 1) / grid[d]) - field->first[d];
        field->dims[d] = field->own[d] + 2;
    }
}

/* Goes to the next of this rank's own points, counted from 1 as in its block; false behind the last. */
static bool next_point(const struct field *field, int *point)
{
    for (int d = field->dimensions - 1; d >= 0; d--) {
        if (++point[d] <= field->own[d])
            return true;
        point[d] = 1;
    }
    return false;
}

static size_t place_of(const struct field *field, const int *point)
{
    size_t place = 0;
    for (int d = 0; d < field->dimensions; d++)
        place = place * (size_t)field->dims[d] + (size_t)point[d];
    return place;
}

void field_fill(struct field *field)
{
    static const int slope[] = {7, 13, 29};
    int point[3] = {1, 1, 1};
    memset(field->points, 0, points_of(field) * sizeof *field->points);
    do {
        int warmth = 0;
        for (int d = 0; d < field->dimensions; d++)
            warmth += (field->first[d] + point[d] - 1) * slope[d];
        field->points[place_of(field, point)] = warmth % 100;
    } while (next_point(field, point));
    MPI_Barrier(field->cart);
    field->began = MPI_Wtime();
}

void field_make(struct field *field)
{
    divide(field);
    field->points = malloc(points_of(field) * sizeof *field->points);
    field->next = malloc(points_of(field) * sizeof *field->next);
    if (field->points == NULL || field->next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    field_fill(field);
}

/* What becomes of a point with VALUE, and by how much it changed. */
static double warmed(struct field *field, double value, double by)
{
    field->change = fmax(field->change, fabs(by));
    return value + by;
}

static void step_plate(struct field *field)
{
    const int rows = field->own[0], columns = field->own[1];
    double(*u)[columns + 2] = (double(*)[columns + 2]) field->points;
    double(*v)[columns + 2] = (double(*)[columns + 2]) field->next;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++) {
            double around = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
            v[i][j] = warmed(field, u[i][j], 0.2 * (around - 4 * u[i][j]));
        }
    for (int i = 1; i <= rows; i++)
        memcpy(&u[i][1], &v[i][1], (size_t)columns * sizeof u[i][1]);
}

static void step_body(struct field *field)
{
    const int planes = field->own[0], rows = field->own[1], columns = field->own[2];
    double(*u)[rows + 2][columns + 2] = (double(*)[rows + 2][columns + 2]) field->points;
    double(*v)[rows + 2][columns + 2] = (double(*)[rows + 2][columns + 2]) field->next;
    for (int i = 1; i <= planes; i++)
        for (int j = 1; j <= rows; j++)
            for (int k = 1; k <= columns; k++) {
                double around = u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] +
                                u[i][j][k - 1] + u[i][j][k + 1];
                v[i][j][k] = warmed(field, u[i][j][k], 0.125 * (around - 6 * u[i][j][k]));
            }
    for (int i = 1; i <= planes; i++)
        for (int j = 1; j <= rows; j++)
            memcpy(&u[i][j][1], &v[i][j][1], (size_t)columns * sizeof u[i][j][1]);
}

void field_step(struct field *field)
{
    field->change = 0;
    if (field->dimensions == 2)
        step_plate(field);
    else
        step_body(field);
}

double field_change(const struct field *field)
{
    double greatest;
    MPI_Allreduce(&field->change, &greatest, 1, MPI_DOUBLE, MPI_MAX, field->cart);
    return greatest;
}

uint64_t field_checksum(const struct field *field)
{
    uint64_t mine = 0, all;
    int point[3] = {1, 1, 1};
    do {
        uint64_t bits, place = 0;
        memcpy(&bits, &field->points[place_of(field, point)], sizeof bits);
        for (int d = 0; d < field->dimensions; d++)
            place = place * 1000003 + (uint64_t)(field->first[d] + point[d]);
        mine += (bits ^ place) * 0x9e3779b97f4a7c15u;
    } while (next_point(field, point));
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, field->cart);
    return all;
}

void field_print(const struct field *field, const char *program)
{
    int rank, ranks;
    MPI_Barrier(field->cart);
    double seconds = MPI_Wtime() - field->began, change = field_change(field);
    uint64_t sum = field_checksum(field);
    MPI_Comm_rank(field->cart, &rank);
    MPI_Comm_size(field->cart, &ranks);
    if (rank > 0)
        return;
    printf("%s: %d", program, field->size);
    for (int d = 1; d < field->dimensions; d++)
        printf(" x %d", field->size);
    printf(" points, %d ranks, %d steps: %.3f s, change %.17g, checksum %016llx\n", ranks, field->steps,
           seconds, change, (unsigned long long)sum);
}

void field_free(struct field *field)
{
    MPI_Comm_free(&field->cart);
    free(field->points);
    free(field->next);
}

/* Sets the number that NAME stands for; false: there is none, or TEXT is no number. */
static bool set_number(struct field *field, const char *name, const char *text)
{
    const struct {
        const char *name;
        int *number;
    } known[] = {{"--dimensions", &field->dimensions}, {"--size", &field->size}, {"--steps", &field->steps}};
    char *end;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *known[i].number = (int)strtol(text, &end, 10);
            return *text != 0 && *end == 0;
        }
    return false;
}

bool field_open(struct field *field, int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    *field = (struct field){.dimensions = 2, .steps = 200};
    bool good = argc % 2 == 1;
    for (int i = 1; good && i < argc; i += 2)
        good = set_number(field, argv[i], argv[i + 1]);
    int most = field->dimensions == 2 ? 30000 : 1000;
    if (field->size == 0)
        field->size = field->dimensions == 2 ? 512 : 64;
    if (!good || field->dimensions < 2 || field->dimensions > 3 || field->size < 2 * ranks ||
        field->size > most || field->steps < 1) {
        if (rank == 0)
            fprintf(stderr, "options: [--dimensions 2|3] [--size POINTS] [--steps N]; "
                            "2 points for each rank at least, 30000 at most, in 3 dimensions 1000\n");
        return false;
    }
    field_make(field);
    return true;
}
