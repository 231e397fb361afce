/* SPDX-License-Identifier: BSD-3-Clause
 * Asking a map. */
#pragma once

#include "map/map.h"

/* The method that the map gives for any number of ranks and bytes: that of the point of the nearest
 * communicator size and there of the nearest bytes, both by their ratio; of two as near the smaller one.
 * NULL: the map knows nothing of the operation. */
const struct star_method *star_map_choose(const struct star_map *map, enum star_operation operation,
                                          int ranks, int64_t bytes);
/* The same for ranks of which SHAPE tells more: where the winner does not apply, the fastest method of that
 * point that does; NULL: none does. */
const struct star_method *star_map_choose_for(const struct star_map *map, enum star_operation operation,
                                              const struct star_shape *shape, int64_t bytes);
/* Is BELOW as near to VALUE as ABOVE or nearer, by their ratios? Nothing counts as half a byte. */
bool star_map_is_nearer(int64_t below, int64_t value, int64_t above);
/* The nearest point itself. */
const struct star_map_point *star_map_nearest(const struct star_map *map, enum star_operation operation,
                                              int ranks, int64_t bytes);
/* The winner of POINT, which is one of OPERATION's. */
const struct star_method *star_map_winner(const struct star_map_operation *operation,
                                          const struct star_map_point *point);

/* Between two neighbouring sizes of one communicator size the winner changes. It is exact where they are
 * neighbours as numbers too. */
struct star_map_crossover {
    const struct star_map_point *below, *above;
    bool exact;
};
/* Calls VISIT for each crossover of OPERATION until it returns non-zero, which is returned. */
int star_map_crossovers(const struct star_map *map, enum star_operation operation,
                        int (*visit)(const struct star_map_crossover *crossover, void *context),
                        void *context);
/* Does the map say what to run without a call's bytes? It has no crossover then: for each number of ranks one
 * method wins at all sizes. */
bool star_map_needs_no_bytes(const struct star_map *map, enum star_operation operation);
