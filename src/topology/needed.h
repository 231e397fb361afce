/* SPDX-License-Identifier: BSD-3-Clause
 * Synchronisation that a schedule needs. */
#pragma once

#include "topology/schedule.h"

/* Needed synchronisation. Two messages of different phases that share a directed link conflict: the later one
 * must not overtake. A sync is an empty message: FROM, when phase AFTER is complete there, tells TO, which
 * waits for it before it starts its send of phase BEFORE. */
enum star_rule {
    STAR_RULE_RENDEZVOUS, /* R: a message starts only when its receiver is there */
    STAR_RULE_EAGER       /* E: it starts when its sender likes */
};
struct star_needed {
    int from, to;
    int64_t after, before;
};
/* Those that RANK sends or awaits, or all with RANK −1; without duplicates, by BEFORE, then TO, AFTER and
 * FROM. Time P² × depth, memory links + own. *NEEDED is to be freed. In bundles, a link between switches is
 * as many links as a bundle has ranks. STAR_EMEMORY, STAR_ELIMIT: they are more than an int counts. */
int star_schedule_needed(const struct star_schedule *schedule, const struct star_network *network,
                         enum star_rule rule, int rank, struct star_needed **needed, int *count,
                         struct star_why *why);
