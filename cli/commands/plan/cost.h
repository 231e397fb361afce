/* SPDX-License-Identifier: BSD-3-Clause
 * What plans cost on a topology. */
#pragma once

#include "algorithms/bounds.h"
#include "cli/common/placed.h"
#include "plan/cost.h"
#include "util/text.h"

/* Whose plans are held and walked all together. */
enum { CLI_COST_RANKS_MOST = 1024 };

struct cli_cost {
    bool wanted;
    const char *assumed;  /* as given, or NULL */
    struct cli_placed on; /* without a topology, one ideal switch */
    struct star_cost_parameters parameters;
    const int *node; /* the machine of each rank, as shapes number nodes; NULL: each has its own */
    const struct star_network *walked; /* the ranks' network, or the one that is assumed */
    struct star_bound bound;           /* the physical limit there, of the operation whatever the method */
    bool bounded;                      /* it is known */
};

/* What the network allows; without one, and where no rank knows the bytes, nothing is known. */
int cli_cost_bound(struct cli_cost *ask, enum star_operation operation, int root, int64_t bytes,
                   struct star_why *why);

/* Adds what PLANS cost to TEXT: a table, or members of a JSON object. */
int cli_cost_add(const struct cli_cost *ask, struct star_plan *const *plans, int ranks, bool json,
                 struct star_text *text, struct star_why *why);
