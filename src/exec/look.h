/* SPDX-License-Identifier: BSD-3-Clause
 * Looks whether a request is over, also in what the MPI library calls while it makes progress. There
 * MPI_Test, which makes progress, would go through the library's lists in the midst of going through them. */
#pragma once

#include <mpi.h>

/* MPI_Test, without a status. */
int star_look(MPI_Request *request, int *over);
/* From now on IS_OVER is asked first, and no progress is made; NULL: the library has left its progress, or
 * does not mind. */
void star_look_within(int (*is_over)(MPI_Request request));
