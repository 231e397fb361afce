/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/knobs.h"

const char *const star_rank_orders[] = {"rank", "dfs", NULL};
const char *const star_levels[] = {"node", "switch", NULL};
