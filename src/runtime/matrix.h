/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks sent to each other, where the setting `matrix` has it counted: by a library of its own
 * (src/matrix), which this one asks at the end. */
#ifndef STAR_RUNTIME_MATRIX_H
#define STAR_RUNTIME_MATRIX_H

#include "util/text.h"

#include <mpi.h>
#include <stdint.h>

/* By this name the library that counts is told what a rank of COMM has handed over to this one by shared
 * memory, where no message tells. */
#define STAR_MATRIX_FETCHED "STAR_Matrix_fetched"
typedef void star_matrix_fetched(MPI_Comm comm, int rank, int64_t bytes, int64_t messages);

/* Once the settings are known. Local. */
void star_matrix_begin(void);
/* Appends what this rank has counted, as star_tally_tell; nothing where nobody counted. Local. */
void star_matrix_tell(struct star_text *text);

#endif
