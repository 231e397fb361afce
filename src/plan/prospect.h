/* SPDX-License-Identifier: BSD-3-Clause
 * What is foreseen of plans where the network may be unknown: not only what they cost on one that is assumed
 * (cost.h), but of what that consists, so that it can be said of slower and faster links, and of two
 * switches. */
#pragma once

#include "plan/cost.h"
#include "util/prospect.h"

struct star_foresight;

/* On NETWORK, which must stay; NULL: it is not known, and machines are on one ideal switch. NODE tells each
 * rank's machine, numbered by first appearance; NULL: each has its own. NULL when out of memory. */
struct star_foresight *star_foresight_new(const struct star_network *network, const int *node, int ranks,
                                          const struct star_cost_parameters *parameters);
void star_foresight_free(struct star_foresight *foresight);
/* That on which it foresees: the one that is known, or the one that is assumed. */
const struct star_network *star_foresight_network(const struct star_foresight *foresight);

/* PLANS[r] is rank r's. PATIENCE: seconds that it may take, 0: as long as it takes. Without PARTS only the
 * seconds are worked out, and the rest is unknown. As star_cost_of; PROSPECT is STAR_NO_PROSPECT then. */
int star_foresee(const struct star_foresight *foresight, struct star_plan *const *plans, double patience,
                 bool parts, struct star_prospect *prospect, struct star_why *why);
