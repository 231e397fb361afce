/* SPDX-License-Identifier: BSD-3-Clause
 * What quadtrees cost, as Figures 3 and 4 of Pješivac-Grbović et al. have it: the mean penalty by the
 * accuracy threshold, and by the mean depth of trees of growing accuracy and of growing depth. */
#pragma once

#include "map/map.h"

/* Accuracies are this many steps up to 1. */
enum { STAR_ACCURACY_STEPS = 20 };

/* Both figures side by side, with curves for each operation of the map, or for ONLY if that is not −1.
 * Errors: as star_grid_make. */
int star_quadtree_figures(const struct star_map *map, int only, struct star_text *text, struct star_why *why);
