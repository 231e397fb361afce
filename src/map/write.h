/* SPDX-License-Identifier: BSD-3-Clause
 * Writing a map. */
#pragma once

#include "map/map.h"

/* The text format, a record a line (docs/maps.md). A map is read back as it was written, to the last bit. */
void star_map_write(const struct star_map *map, struct star_text *text);
/* Writes beside PATH and renames, so that PATH is never half a map. */
int star_map_save(const struct star_map *map, const char *path, struct star_why *why);
