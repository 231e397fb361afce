/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks sent to each other, where the setting `matrix` has it counted: by a library of its own
 * (src/matrix), which this one asks at the end. */
#pragma once

#include "util/text.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* By this name the library that counts is told what a rank of COMM has handed over to this one by shared
 * memory, where no message tells. */
#define STAR_MATRIX_FETCHED "STAR_Matrix_fetched"
typedef void star_matrix_fetched(MPI_Comm comm, int rank, int64_t bytes, int64_t messages);

/* And where this thread's messages are startune's own, until it says that they are not. */
#define STAR_MATRIX_LEAVE_OUT "STAR_Matrix_leave_out"
typedef void star_matrix_leave_out(bool own);

/* Before the ranks first agree. Local. */
void star_matrix_find(void);
/* Once the settings are known. Local. */
void star_matrix_begin(void);
/* Appends what this rank has counted, as star_tally_tell; nothing where nobody counted. Local. */
void star_matrix_tell(struct star_text *text);
