/* SPDX-License-Identifier: BSD-3-Clause
 * Who wins a point, who ties with the winner, and who of them is used, so that maps are smooth. */
#pragma once

#include "map/map.h"

/* Not slower by the rank-sum test is who takes so long by chance at least so often. */
#define STAR_TIE_CHANCE 0.05

/* The winner of POINT is the one of the least median of those that IN (as many as timings) says; tied with it
 * are all with 3 samples at least that are not slower by the rank-sum test. */
void star_ties_find(struct star_map_point *point, const bool *in);
/* Makes the winner of each point one of those that tie, within SHARE of the fastest's median: the one that
 * wins at most of the points next door, and of those the fastest. Points that a search added keep theirs. */
void star_ties_smooth(struct star_map *map, enum star_operation operation, double share);
