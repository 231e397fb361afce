/* SPDX-License-Identifier: BSD-3-Clause
 * How the predefined function-sets run: those of exchanges between neighbours, of collective operations, and
 * of those that overlap computation. */
#pragma once

#include "patterns/patterns.h"

extern const struct star_pattern star_pattern_neighborhood, star_pattern_collective, star_pattern_nonblocking;
