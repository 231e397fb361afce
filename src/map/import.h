/* SPDX-License-Identifier: BSD-3-Clause
 * Maps from what benchmarks printed. */
#pragma once

#include "map/map.h"

/* Reads what a benchmark printed of one method, and adds it to the map: OSU's micro-benchmarks ("# Size  Avg
 * Latency(us)") or Intel's ("#bytes #repetitions … t_avg[usec]"). Parts of the file that are of benchmarks of
 * other operations are skipped. RANKS: 0 where the file says it (Intel's do). NAME stands for the file in
 * reasons. STAR_EINPUT, STAR_EMEMORY. */
int star_map_import(struct star_map *map, const struct star_method *method, int ranks, const char *bytes,
                    size_t length, const char *name, struct star_why *why);
