/* SPDX-License-Identifier: BSD-3-Clause
 * startune plan on a topology: where ranks are, and what the plans cost there. */
#ifndef STAR_CLI_PLAN_COST_H
#define STAR_CLI_PLAN_COST_H

#include "algorithms/bounds.h"
#include "plan/cost.h"
#include "topology/placing.h"
#include "util/text.h"

/* Whose plans are held and walked all together. */
enum { CLI_COST_RANKS_MOST = 1024 };

struct cli_cost {
    bool wanted;
    const char *topology;      /* a file; NULL: one ideal switch */
    const char *map, *assumed; /* as given, or NULL */
    struct star_placing placing;
    struct star_cost_parameters parameters;
    struct star_topology *read;   /* what the file holds; NULL: not read yet */
    struct star_network *network; /* of the ranks; NULL without a topology */
    const int *node;              /* the machine of each, as shapes number nodes; NULL: each has its own */
    const struct star_network *walked; /* the ranks' network, or the one that is assumed */
    struct star_bound bound;           /* the physical limit there, of the operation whatever the method */
    bool bounded;                      /* it is known */
};

/* Reads the topology: how many ranks it has room for; 0 without one. */
int cli_cost_read(struct cli_cost *ask, int64_t *slots, struct star_why *why);
/* After cli_cost_read, places RANKS: their network, and the machine of each as shapes number nodes. NODE is
 * to be freed; NULL without a topology. */
int cli_cost_place(struct cli_cost *ask, int ranks, int **node, struct star_why *why);

/* What the network allows; without one, and where no rank knows the bytes, nothing is known. */
int cli_cost_bound(struct cli_cost *ask, enum star_operation operation, int root, int64_t bytes,
                   struct star_why *why);

/* Adds what PLANS cost to TEXT: a table, or members of a JSON object. */
int cli_cost_add(const struct cli_cost *ask, struct star_plan *const *plans, int ranks, bool json,
                 struct star_text *text, struct star_why *why);

#endif
