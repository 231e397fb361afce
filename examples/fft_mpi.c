/* SPDX-License-Identifier: BSD-3-Clause
 * The transform by FFTW's own MPI interface. With these flags FFTW transposes with MPI_Alltoall (its
 * mpi-transpose-alltoall), every time; where it may not destroy its input, or measures, it may take
 * pairwise messages instead. */
#include "transform.h"

#include <fftw3-mpi.h>

struct transform_parts {
    fftw_plan forward, backward;
};

const char *const transform_name = "fft_mpi";

const char *transform_new(struct transform *t)
{
    static struct transform_parts parts;
    const unsigned flags = FFTW_ESTIMATE | FFTW_DESTROY_INPUT;
    ptrdiff_t planes, first, columns, first_column;
    fftw_mpi_init();
    ptrdiff_t room = fftw_mpi_local_size_3d_transposed(t->n[0], t->n[1], t->n[2], MPI_COMM_WORLD, &planes,
                                                       &first, &columns, &first_column);
    t->count = planes * t->n[1] * t->n[2];
    t->start = first * t->n[1] * t->n[2];
    t->data = fftw_alloc_complex((size_t)room);
    t->spectrum = fftw_alloc_complex((size_t)room);
    t->parts = &parts;
    parts.forward = fftw_mpi_plan_dft_3d(t->n[0], t->n[1], t->n[2], t->data, t->spectrum, MPI_COMM_WORLD,
                                         FFTW_FORWARD, flags | FFTW_MPI_TRANSPOSED_OUT);
    parts.backward = fftw_mpi_plan_dft_3d(t->n[0], t->n[1], t->n[2], t->spectrum, t->data, MPI_COMM_WORLD,
                                          FFTW_BACKWARD, flags | FFTW_MPI_TRANSPOSED_IN);
    return parts.forward && parts.backward ? NULL : "FFTW has no plan for this size";
}

void transform_forward(struct transform *t)
{
    fftw_execute(t->parts->forward);
}

void transform_backward(struct transform *t)
{
    fftw_execute(t->parts->backward);
}

void transform_free(struct transform *t)
{
    fftw_destroy_plan(t->parts->forward);
    fftw_destroy_plan(t->parts->backward);
    fftw_free(t->data);
    fftw_free(t->spectrum);
    fftw_mpi_cleanup();
}
