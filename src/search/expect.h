/* SPDX-License-Identifier: BSD-3-Clause
 * What neighbours say of a method before it is measured. */
#pragma once

#include "map/map.h"

/* A method with more of them is left out. */
#define STAR_HOPE_MOST 1.5

/* How many times the fastest's time METHOD takes at least at RANKS and BYTES, if times are a start-up and so
 * much a byte, and grow with the number of ranks at most as its square:
 *
 * - between a smaller and a larger size where it was measured, as both together say, less the more the sizes
 * lie apart, because MPI libraries change their protocol in between;
 * - beside one size, the ratio there over that of the sizes: no two lines come nearer by more;
 * - beside another communicator size, the ratio there over the square of that of the ranks.
 *
 * The greatest of them; half of what rests on a single run. 0: neighbours say nothing. METHOD as the map
 * numbers it.
 */
double star_hope_of(const struct star_map *map, enum star_operation operation, int ranks, int64_t bytes,
                    int method);
