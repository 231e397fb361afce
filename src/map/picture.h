/* SPDX-License-Identifier: BSD-3-Clause
 * Maps as pictures: as SVG, and as a page that needs no other file. */
#pragma once

#include "map/encoding.h"

/* Draws the map of OPERATION. STAR_EMEMORY. */
int star_map_svg(enum star_operation operation, const struct star_grid *grid, struct star_text *text,
                 struct star_why *why);
/* A page with the map of each operation, or of ONLY if that is not −1, and quadtrees of growing depth beside
 * what they cost. Errors: as star_grid_make. */
int star_map_html(const struct star_map *map, int only, struct star_text *text, struct star_why *why);
