/* SPDX-License-Identifier: BSD-3-Clause
 * The table of strategies. */
#pragma once

#include "tuner/strategy.h"

extern const struct star_way *const star_ways[STAR_STRATEGIES];

/* What AUTO stands for. */
enum star_estimator star_estimator_of(enum star_strategy strategy, enum star_estimator estimator);
/* Does a strategy look at traits? */
bool star_strategy_wants_traits(enum star_strategy strategy);
