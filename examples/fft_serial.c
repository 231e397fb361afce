/* SPDX-License-Identifier: BSD-3-Clause
 * The transform by serial FFTW and MPI_Alltoall: planes, a transpose between the ranks, columns. Works with
 * every MPI library. The number of ranks has to divide the planes and the columns. */
#include "transform.h"

#include <mpi.h>
#include <string.h>

struct transform_parts {
    int ranks;
    ptrdiff_t planes, columns; /* of each rank */
    fftw_complex *packed;      /* [rank][planes][columns][n[2]] */
    fftw_plan over_planes[2], over_columns[2];
};
enum { FORWARD, BACKWARD };

const char *const transform_name = "fft_serial";

static fftw_plan plan_planes(const struct transform *t, int sign)
{
    const struct transform_parts *p = t->parts;
    int n[2] = {(int)t->n[1], (int)t->n[2]}, plane = n[0] * n[1];
    return fftw_plan_many_dft(2, n, (int)p->planes, t->data, NULL, 1, plane, t->data, NULL, 1, plane, sign,
                              FFTW_ESTIMATE);
}

static fftw_plan plan_columns(const struct transform *t, int sign)
{
    const int length = (int)t->n[0], deep = (int)t->n[2], columns = (int)t->parts->columns;
    const fftw_iodim along = {length, deep, deep};
    const fftw_iodim each[2] = {{columns, length * deep, length * deep}, {deep, 1, 1}};
    return fftw_plan_guru_dft(1, &along, 2, each, t->spectrum, t->spectrum, sign, FFTW_ESTIMATE);
}

const char *transform_new(struct transform *t)
{
    static struct transform_parts p;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    if (t->n[0] % p.ranks != 0 || t->n[1] % p.ranks != 0)
        return "the number of ranks does not divide the first two sizes";
    p.planes = t->n[0] / p.ranks;
    p.columns = t->n[1] / p.ranks;
    t->count = p.planes * t->n[1] * t->n[2];
    t->start = rank * t->count;
    t->parts = &p;
    t->data = fftw_alloc_complex((size_t)t->count);
    t->spectrum = fftw_alloc_complex((size_t)t->count);
    p.packed = fftw_alloc_complex((size_t)t->count);
    if (t->data == NULL || t->spectrum == NULL || p.packed == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    p.over_planes[FORWARD] = plan_planes(t, FFTW_FORWARD);
    p.over_planes[BACKWARD] = plan_planes(t, FFTW_BACKWARD);
    p.over_columns[FORWARD] = plan_columns(t, FFTW_FORWARD);
    p.over_columns[BACKWARD] = plan_columns(t, FFTW_BACKWARD);
    return NULL;
}

static void copy(fftw_complex *to, fftw_complex *from, ptrdiff_t points)
{
    memcpy(to, from, (size_t)points * sizeof *to);
}

static void exchange(const struct transform *t, fftw_complex *from, fftw_complex *to)
{
    int block = (int)(t->parts->planes * t->parts->columns * t->n[2]);
    MPI_Alltoall(from, block, MPI_C_DOUBLE_COMPLEX, to, block, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
}

/* Between data, [planes][rank][columns], and PACKED blocks, [rank][planes][columns]. */
static void move_data(const struct transform *t, fftw_complex *packed, int direction)
{
    const struct transform_parts *p = t->parts;
    ptrdiff_t run = p->columns * t->n[2];
    for (ptrdiff_t plane = 0; plane < p->planes; plane++)
        for (int r = 0; r < p->ranks; r++) {
            fftw_complex *block = packed + (r * p->planes + plane) * run;
            fftw_complex *data = t->data + (plane * p->ranks + r) * run;
            copy(direction == FORWARD ? block : data, direction == FORWARD ? data : block, run);
        }
}

/* Between PACKED blocks, [rank][planes][columns], and spectrum, [columns][rank][planes]. */
static void move_spectrum(const struct transform *t, fftw_complex *packed, int direction)
{
    ptrdiff_t deep = t->n[2], all = t->n[0], columns = t->parts->columns;
    for (ptrdiff_t plane = 0; plane < all; plane++)
        for (ptrdiff_t column = 0; column < columns; column++) {
            fftw_complex *block = packed + (plane * columns + column) * deep;
            fftw_complex *spectrum = t->spectrum + (column * all + plane) * deep;
            copy(direction == FORWARD ? spectrum : block, direction == FORWARD ? block : spectrum, deep);
        }
}

void transform_forward(struct transform *t)
{
    fftw_execute(t->parts->over_planes[FORWARD]);
    move_data(t, t->parts->packed, FORWARD);
    exchange(t, t->parts->packed, t->data);
    move_spectrum(t, t->data, FORWARD);
    fftw_execute(t->parts->over_columns[FORWARD]);
}

void transform_backward(struct transform *t)
{
    fftw_execute(t->parts->over_columns[BACKWARD]);
    move_spectrum(t, t->parts->packed, BACKWARD);
    exchange(t, t->parts->packed, t->spectrum);
    move_data(t, t->spectrum, BACKWARD);
    fftw_execute(t->parts->over_planes[BACKWARD]);
}

void transform_free(struct transform *t)
{
    for (int direction = FORWARD; direction <= BACKWARD; direction++) {
        fftw_destroy_plan(t->parts->over_planes[direction]);
        fftw_destroy_plan(t->parts->over_columns[direction]);
    }
    fftw_free(t->data);
    fftw_free(t->spectrum);
    fftw_free(t->parts->packed);
}
