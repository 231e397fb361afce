/* SPDX-License-Identifier: BSD-3-Clause
 * The neighbourhood exchange as a function-set. */
#ifndef STAR_PATTERNS_PATTERN_NEIGHBORHOOD_H
#define STAR_PATTERNS_PATTERN_NEIGHBORHOOD_H

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_neighborhood;

#endif
