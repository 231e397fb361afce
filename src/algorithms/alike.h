/* SPDX-License-Identifier: BSD-3-Clause
 * Methods that are the same between few ranks. */
#pragma once

#include "algorithms/methods.h"

/* FIRST[i] is the first of METHODS that is the same as method I between the ranks of SHAPE, with its root, or
 * I: of two or three ranks many are. All ranks find the same, whichever is SHAPE's. STAR_EMEMORY. */
int star_methods_alike(const struct star_methods *methods, const struct star_shape *shape, int *first);
/* About how many seconds that takes; 0: of so many ranks none are compared. */
double star_alike_seconds(int methods, int ranks);
/* Leaves the first of those that are alike. STAR_EMEMORY. */
int star_methods_join(struct star_methods *methods, const struct star_shape *shape);
