/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks sent to each other, where the setting `matrix` has it counted: by a library of its own
 * (src/matrix), which this one asks at the end. */
#ifndef STAR_RUNTIME_MATRIX_H
#define STAR_RUNTIME_MATRIX_H

#include "util/text.h"

/* Appends what this rank has counted, as star_tally_tell; nothing where nobody counted. Local. */
void star_matrix_tell(struct star_text *text);

#endif
