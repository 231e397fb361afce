/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the predefined function-sets. */
#pragma once

#include "patterns/patterns.h"

/* An attribute-set of COUNT attributes, which takes their handles; NULL when out of memory. */
struct star_attrset *star_predefined_attrset(int count, STAR_Attribute attributes[]);
/* One more function, with VALUES of the function-set's attributes; NULL when out of memory. */
struct star_function *star_predefined_function(struct star_fnctset *fnctset, const char *name,
                                               const int *values, bool overlaps);
