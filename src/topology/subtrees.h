/* SPDX-License-Identifier: BSD-3-Clause
 * How schedules are made: plain ones and those in bundles differ in which ranks are a subtree. */
#pragma once

#include "topology/schedule.h"

/* The node all of whose branches hold at most half of the ranks. */
int star_schedule_root(const struct star_network *network);

/* The schedule on ROOT of the subtrees 0…SUBTREES−1, in any order; SUBTREE[r] is that of rank r. BUNDLE
 * divides the ranks of each. */
int star_schedule_build(const struct star_network *network, int root, const int *subtree, int subtrees,
                        int bundle, struct star_schedule **schedule, struct star_why *why);
