/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "place/tally.h"
#include "runtime/matrix.h"

/* For startune's library: what it hands over by shared memory. */
star_matrix_fetched STAR_Matrix_fetched;
/* And what of its own it sends. */
star_matrix_leave_out STAR_Matrix_leave_out;
/* And at the end. Nothing is counted from then on. */
star_matrix_take STAR_Matrix_take;
