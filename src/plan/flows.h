/* SPDX-License-Identifier: BSD-3-Clause
 * Flows: messages that move over a network at the same time. They share the links max–min fairly: all grow
 * alike until a link is full, those that cross it keep what they have, and the others grow on. Links without
 * a rate limit nothing. */
#pragma once

#include "topology/network.h"

#include <stdint.h>

/* What one direction of a link had to carry. */
struct star_link_load {
    int64_t bytes;    /* of messages, without framing */
    double busy;      /* seconds with a flow on it; 0 where the link has no rate */
    double contended; /* seconds when it was full with two or more flows on it */
    int most_flows;   /* at once */
};

/* Flows that meet at a port of a switch may cost more than their fair share, as buffers overflow: its rate
 * becomes rate × max(1/2, 1 / (1 + CONTENTION × (flows − 1))). A machine's own link upwards loses nothing. */
struct star_sharing {
    double contention;
    double framing; /* bytes on a link for each byte of a message */
};

struct star_flows;

/* NULL when out of memory. The NETWORK must stay. */
struct star_flows *star_flows_new(const struct star_network *network, struct star_sharing sharing);
void star_flows_free(struct star_flows *flows);

/* The links with a rate on the way from FROM to TO. */
int star_flows_hops(const struct star_flows *flows, int from, int to);
/* The same, from the deepest rank to the root and down again. */
int star_flows_farthest(const struct star_flows *flows);
/* BYTES ≥ 1 start on their way, under the name MESSAGE: 1, or 0 when no link on the way has a rate, so that
 * no flow begins; they count as load all the same. STAR_EMEMORY. */
int star_flows_start(struct star_flows *flows, int from, int to, int64_t bytes, int message);
/* Seconds until the next flow ends; INFINITY when there is none. */
double star_flows_next(struct star_flows *flows);
/* SECONDS pass, at most star_flows_next's. Returns how many flows ended, up to SLACK seconds early, and
 * their names, which stay until the next call. */
int star_flows_pass(struct star_flows *flows, double seconds, double slack, const int **messages);

/* Of directed link 2 × node, + 1 when it goes down. */
const struct star_link_load *star_flows_loads(const struct star_flows *flows);
