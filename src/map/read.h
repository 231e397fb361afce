/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a map. */
#pragma once

#include "map/map.h"

/* BYTES need no end; NAME stands for the file in reasons. STAR_EINPUT names file and line. */
int star_map_parse(const char *bytes, size_t length, const char *name, struct star_map **map,
                   struct star_why *why);
/* Files: "-" is read from standard input. STAR_EINPUT, STAR_ESYSTEM, STAR_EMEMORY. */
int star_map_read(const char *path, struct star_map **map, struct star_why *why);
