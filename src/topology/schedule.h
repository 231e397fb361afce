/* SPDX-License-Identifier: BSD-3-Clause
 * Contention-free all-to-all schedules on a tree of switches: in a phase no link carries two messages in one
 * direction, and there are as many phases as the busiest link has messages. Faraj and Yuan: Message
 * Scheduling for All-to-all Personalized Communication on Ethernet Switched Clusters, IPDPS 2005. A message's
 * phase is a formula, so that a rank needs memory for its own messages only. */
#ifndef STAR_TOPOLOGY_SCHEDULE_H
#define STAR_TOPOLOGY_SCHEDULE_H

#include "topology/network.h"

#include <stdint.h>

/* The schedule's root is a node all of whose branches hold at most half of the ranks; its branches are the
 * subtrees. What the schedule orders are bundles: neighbours in a subtree that send together. In the plain
 * schedule each rank is a bundle. */
struct star_schedule {
    int ranks, subtrees;
    int root;   /* the network's node */
    int bundle; /* ranks of each bundle */
    int64_t phases;
    int *size;    /* bundles of each subtree, the greatest first */
    int *before;  /* bundles of the subtrees 1…i−1; 0 for subtree 0 */
    int *start;   /* of each subtree: where its ranks begin in MEMBER */
    int *subtree; /* of each rank */
    int *index;   /* of each rank within its subtree: index / bundle is its bundle */
    int *member;  /* ranks by subtree and index */
};

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
/* The same; BUNDLE 0: as many as the slowest link between switches carries, or the plain one where that
 * cannot be. */
int star_schedule_for(const struct star_network *network, int bundle, struct star_schedule **schedule,
                      struct star_why *why);
void star_schedule_free(struct star_schedule *schedule);

/* The phase, 0…phases−1, in which FROM sends to TO (which differ). */
int64_t star_schedule_phase(const struct star_schedule *schedule, int from, int to);

struct star_message {
    int64_t phase;
    int peer;
};
/* RANK's messages in order of their phases: ranks−1 sends and as many receives. */
int star_schedule_messages(const struct star_schedule *schedule, int rank, struct star_message *sends,
                           struct star_message *receives, struct star_why *why);

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

#endif
