/* SPDX-License-Identifier: BSD-3-Clause
 * Maps of vectors. */
#pragma once

#include "patterns/patterns.h"

extern const char *const star_map_names[];

/* A map for halos, with a reference for the caller; NULL, *ERROR, and refused. */
struct star_vmap *star_vmap_halo(int width, int *error, const char *call);
