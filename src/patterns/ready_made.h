/* SPDX-License-Identifier: BSD-3-Clause
 * How the predefined function-sets run: those of exchanges between neighbours, of collective operations, and
 * of those that overlap computation. */
#ifndef STAR_PATTERNS_READY_MADE_H
#define STAR_PATTERNS_READY_MADE_H

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_neighborhood, star_pattern_collective, star_pattern_nonblocking;

#endif
