/* SPDX-License-Identifier: BSD-3-Clause
 * Maps put together, compared, asked. */
#pragma once

#include "map/map.h"

/* Adds what MORE has to MAP. Where both measured a method at a point, MORE's time counts; a point of which
 * both have measurements gets the method of the least median, without ties. STAR_EINPUT: what is known of
 * their machines differs; STAR_EMEMORY. */
int star_map_merge(struct star_map *map, const struct star_map *more, struct star_why *why);

/* A place of which two maps say different things; B may be NULL, where it knows nothing of the operation. */
struct star_map_difference {
    enum star_operation operation;
    int ranks;
    int64_t bytes;
    const struct star_method *a, *b;
    double loss; /* by how much B's method is slower at that point of A, as a share; NAN: not known */
};
/* Calls VISIT for each point of A where B chooses another method, and for each of B where A does. Stops when
 * it returns non-zero, which is returned. */
int star_map_differences(const struct star_map *a, const struct star_map *b,
                         int (*visit)(const struct star_map_difference *difference, void *context),
                         void *context);
/* A fact of the machine by its number from 0 on, as text: NULL behind the last. BUFFER holds numbers. */
const char *star_map_machine_fact(const struct star_map_machine *machine, int number, const char **word,
                                  char *buffer, size_t room);
