/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's blocking operations as function-sets. */
#ifndef STAR_PATTERNS_PATTERN_COLLECTIVE_H
#define STAR_PATTERNS_PATTERN_COLLECTIVE_H

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_collective;

#endif
