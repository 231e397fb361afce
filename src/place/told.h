/* SPDX-License-Identifier: BSD-3-Clause
 * The matrix from what ranks told (star_tally_tell), all of them one behind the other: where there is no
 * library for JSON. */
#pragma once

#include "place/matrix.h"
#include "util/text.h"

#include <stdbool.h>

/* *ENTRIES, to be freed, become COUNT ones of RANKS. False: a rank told nothing, or not all that it sent; it
 * is no such text; or there is no memory. */
bool star_told_read(const struct star_text *text, int ranks, struct star_matrix_entry **entries,
                    size_t *count);
