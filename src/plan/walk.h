/* SPDX-License-Identifier: BSD-3-Clause
 * Walks the plans of all ranks together. */
#pragma once

#include "plan/cost.h"

/* Tells when the last rank is done. As star_cost_of; PLANS are known to be those of COUNT ranks. */
int star_walk(struct star_plan *const *plans, int count, struct star_flows *flows,
              const struct star_cost_parameters *parameters, double *seconds, struct star_why *why);
/* Is the cost of so many ranks not worked out where PATIENCE is limited, as pairs have tables? */
bool star_walk_is_too_wide(int ranks);
