/* SPDX-License-Identifier: BSD-3-Clause
 * How schedules are made: plain ones and those in bundles differ in what hangs on the root. */
#ifndef STAR_TOPOLOGY_BRANCHES_H
#define STAR_TOPOLOGY_BRANCHES_H

#include "topology/schedule.h"

/* The ranks at the places FIRST … FIRST + RANKS − 1 of the network's order, which goes round. */
struct star_branch {
    int first, ranks;
};

/* The schedule of BRANCHES on ROOT, whose ranks BUNDLE divides. Sorts BRANCH. */
int star_schedule_build(const struct star_network *network, int root, struct star_branch *branch,
                        int branches, int bundle, struct star_schedule **schedule, struct star_why *why);

#endif
