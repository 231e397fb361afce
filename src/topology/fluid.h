/* SPDX-License-Identifier: BSD-3-Clause
 * What a pattern of messages costs at least, if links were pipes: in each phase the busiest link counts, and
 * a phase begins when the one before has ended everywhere. Without start-up times and what contention costs
 * beyond sharing. */
#ifndef STAR_TOPOLOGY_FLUID_H
#define STAR_TOPOLOGY_FLUID_H

#include "topology/network.h"

#include <stdint.h>

struct star_transfer {
    int64_t phase;
    int from, to; /* ranks; a message to oneself uses no link */
    double bytes;
};

/* A pattern: NEXT gives one message after the other, in order of phases; false: that was all. */
struct star_pattern {
    bool (*next)(struct star_transfer *transfer, void *context);
    void *context;
};

struct star_fluid {
    double seconds; /* the sum over phases of the greatest bytes / rate */
    int busiest;    /* the directed link that takes longest over all phases: 2 × node, + 1 when it goes down;
                       −1: none is limited */
};

/* LOAD, of 2 × nodes, becomes the bytes over each directed link; it may be NULL. STAR_EMEMORY; STAR_EINPUT:
 * no such rank, or phases in another order. */
int star_fluid(const struct star_network *network, struct star_pattern pattern, struct star_fluid *fluid,
               double *load, struct star_why *why);

#endif
