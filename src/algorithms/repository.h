/* SPDX-License-Identifier: BSD-3-Clause
 * The repository: every algorithm of every operation, native first in each. */
#pragma once

#include "algorithms/method.h"

extern const struct star_algorithm *const star_repository[];
extern const int star_repository_count;
