/* SPDX-License-Identifier: BSD-3-Clause
 * Function-sets of the program. */
#ifndef STAR_PATTERNS_PATTERN_OWN_H
#define STAR_PATTERNS_PATTERN_OWN_H

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_own;

#endif
