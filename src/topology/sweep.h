/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule forwards: the messages of one subtree in the order of their phases, each in a few steps. */
#pragma once

#include "topology/schedule.h"

enum star_flow { STAR_FLOW_OUT, STAR_FLOW_IN, STAR_FLOW_WITHIN }; /* of the subtree */

/* From bundle FROM of FROM_SUBTREE to bundle TO of TO_SUBTREE. Within a subtree FROM may be TO: the formal
 * phase of a bundle. Phases are those of bundles: star_schedule_phase's / bundle. */
struct star_sweep {
    int64_t phase;
    int from_subtree, to_subtree;
    int from, to;
    /* How it goes on: */
    const struct star_schedule *schedule;
    enum star_flow flow;
    int subtree;
    int other;            /* of OUT and IN: the subtree at the other end */
    int64_t start, after; /* the phases of the row of messages that is being swept */
    int64_t round;        /* of WITHIN */
};

struct star_sweep star_sweep_of(const struct star_schedule *schedule, int subtree, enum star_flow flow);
/* The next message; false: there is none. */
bool star_sweep_next(struct star_sweep *sweep);
