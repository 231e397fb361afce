/* SPDX-License-Identifier: BSD-3-Clause
 * Contention-free all-to-all schedules on a tree of switches: in a phase no link carries two messages in one
 * direction, and there are as many phases as the busiest link has messages. Faraj and Yuan: Message
 * Scheduling for All-to-all Personalized Communication on Ethernet Switched Clusters, IPDPS 2005. A message's
 * phase is a formula, so that a rank needs memory for its own messages only. */
#ifndef STAR_TOPOLOGY_SCHEDULE_H
#define STAR_TOPOLOGY_SCHEDULE_H

#include "topology/network.h"

#include <stdint.h>

struct star_schedule {
    int ranks, subtrees;
    int64_t phases;
    int *size;    /* ranks of each subtree of the schedule's root, the greatest first */
    int *before;  /* ranks of the subtrees 1…i−1; 0 for subtree 0 (A_i) */
    int *subtree; /* of each rank */
    int *index;   /* of each rank within its subtree */
    int *start;   /* of each subtree: where its ranks begin in MEMBER */
    int *member;  /* ranks by subtree and index */
};

int star_schedule_of(const struct star_network *network, struct star_schedule **schedule,
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
 * FROM. Time P² × depth, memory links + own. *NEEDED is to be freed. */
int star_schedule_needed(const struct star_schedule *schedule, const struct star_network *network,
                         enum star_rule rule, int rank, struct star_needed **needed, int *count,
                         struct star_why *why);

#endif
