/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's nonblocking operations as function-sets. */
#ifndef STAR_PATTERNS_PATTERN_NONBLOCKING_H
#define STAR_PATTERNS_PATTERN_NONBLOCKING_H

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_nonblocking;

#endif
