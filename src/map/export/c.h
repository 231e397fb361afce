/* SPDX-License-Identifier: BSD-3-Clause
 * Stand-alone C. */
#pragma once

#include "map/encoding.h"

/* For generated C: of the two exact forms without a tree, the smaller one. Errors: as star_encoding_make. */
int star_export_encode(const struct star_grid *grid, struct star_encoding *smaller, struct star_why *why);
