/* SPDX-License-Identifier: BSD-3-Clause
 * What fills the predefined function-sets with their functions. */
#ifndef STAR_PATTERNS_PREDEFINED_H
#define STAR_PATTERNS_PREDEFINED_H

#include "patterns/patterns.h"

/* Each returns false when out of memory. */
bool star_neighborhood_fill(struct star_fnctset *fnctset);
bool star_collective_fill(struct star_fnctset *fnctset);
bool star_nonblocking_fill(struct star_fnctset *fnctset);

/* An attribute-set of COUNT attributes, which takes their handles; NULL when out of memory. */
struct star_attrset *star_predefined_attrset(int count, STAR_Attribute attributes[]);
/* One more function, with VALUES of the function-set's attributes; NULL when out of memory. */
struct star_function *star_predefined_function(struct star_fnctset *fnctset, const char *name,
                                               const int *values, bool overlaps);

#endif
