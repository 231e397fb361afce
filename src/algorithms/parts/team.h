/* SPDX-License-Identifier: BSD-3-Clause
 * Teams that are made. */
#ifndef STAR_ALGORITHMS_PARTS_TEAM_H
#define STAR_ALGORITHMS_PARTS_TEAM_H

#include "algorithms/parts/parts.h"

/* All ranks from FIRST on, upwards (STEP 1) or downwards (STEP -1) in the method's order, around the end.
 * False when out of memory. */
bool star_turned(struct star_builder *b, const struct star_shape *shape, int first, int step,
                 struct star_team *team);

#endif
