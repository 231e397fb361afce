/* SPDX-License-Identifier: BSD-3-Clause
 * A 3-D complex Fourier transform over the ranks of MPI_COMM_WORLD. Two programs share this face and fft.c:
 * fft_mpi.c leaves the communication to FFTW, fft_serial.c does it by hand. */
#ifndef TRANSFORM_H
#define TRANSFORM_H

#include <fftw3.h>
#include <stddef.h>

struct transform {
    ptrdiff_t n[3];         /* points in each direction */
    ptrdiff_t count, start; /* points of this rank's slab of n[0] planes, and the first one's global index */
    fftw_complex *data;     /* [its planes][n[1]][n[2]] */
    fftw_complex *spectrum; /* [its part of n[1]][n[0]][n[2]]: left transposed, which saves a transpose */
    struct transform_parts *parts;
};

extern const char *const transform_name;

/* Makes data and spectrum, from n; returns what is wrong, or NULL. Collective, as all that follow. */
const char *transform_new(struct transform *transform);
/* Data to spectrum, which destroys the data; and back, without the factor of 1 / all points. */
void transform_forward(struct transform *transform);
void transform_backward(struct transform *transform);
void transform_free(struct transform *transform);

#endif
