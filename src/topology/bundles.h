/* SPDX-License-Identifier: BSD-3-Clause
 * Making schedules: the plain one, and those in bundles. */
#pragma once

#include "topology/schedule.h"

/* The plain schedule. STAR_EMEMORY. */
int star_schedule_of(const struct star_network *network, struct star_schedule **schedule,
                     struct star_why *why);
/* In bundles of BUNDLE, for links between switches that carry so many messages at once as fast as a host's
 * link carries one: the phases are BUNDLE times fewer (where hosts on the core itself are the most, not
 * quite). STAR_ENEEDS, with the reason: it wants all ranks on one core and on switches that hang on it, or on
 * two switches that are joined; whole bundles, at least two on each switch, and no switch with more than half
 * of the ranks. BUNDLE 1 is the plain schedule, on every network. */
int star_schedule_in_bundles(const struct star_network *network, int bundle, struct star_schedule **schedule,
                             struct star_why *why);
/* How many hosts' links fill the slowest link between switches: 1 at least. */
int star_schedule_bundle(const struct star_network *network);
/* As star_schedule_in_bundles; BUNDLE 0: as many as the slowest link between switches carries, or the plain
 * one where that cannot be. */
int star_schedule_for(const struct star_network *network, int bundle, struct star_schedule **schedule,
                      struct star_why *why);
