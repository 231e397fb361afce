/* SPDX-License-Identifier: BSD-3-Clause
 * Maps as pictures: as SVG, and as a page that needs no other file. */
#ifndef STAR_MAP_PICTURE_H
#define STAR_MAP_PICTURE_H

#include "map/encoding.h"

/* Draws the map as ENCODING gives it, or itself where that is NULL. */
void star_map_svg(const struct star_grid *grid, const struct star_encoding *encoding, struct star_text *text);
/* A page with the map of each operation, or of ONLY if that is not −1, and quadtrees of growing depth beside
 * what they cost. Errors: as star_grid_make. */
int star_map_html(const struct star_map *map, int only, struct star_text *text, struct star_why *why);

#endif
