/* SPDX-License-Identifier: BSD-3-Clause
 * Contention-free all-to-all schedules on a tree of switches: in a phase no link carries two messages in one
 * direction, and there are as many phases as the busiest link has messages. Faraj and Yuan: Message
 * Scheduling for All-to-all Personalized Communication on Ethernet Switched Clusters, IPDPS 2005. A message's
 * phase is a formula, so that a rank needs memory for its own messages only. */
#pragma once

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
