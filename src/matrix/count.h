/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_MATRIX_COUNT_H
#define STAR_MATRIX_COUNT_H

#include "place/tally.h"

/* For startune's library, at the end. Nothing is counted from then on. */
star_matrix_take STAR_Matrix_take;

#endif
