/* SPDX-License-Identifier: BSD-3-Clause
 * Streams on a network that is a tree, simulated: they share each directed link evenly. */
#pragma once

#include "expect.h"
#include "topology/read.h"
#include "topology/streams.h"
#include "topology/topology.h"

#include <math.h>

enum { CROSSING_NODES = 64 };

static inline struct star_topology *read_topology(const char *text)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(text, strlen(text), "test", &topology, &why))
        fail_msg("%s", why.text);
    return topology;
}

/* Adds STEP to what uses each directed link from FROM to TO, and returns the least share of any of them. */
static inline double cross(const struct star_topology *truth, int from, int to, int step, int (*users)[2])
{
    double share = INFINITY;
    while (from != to) {
        bool up = from > to;
        int *lower = up ? &from : &to;
        users[*lower][up] += step;
        share = fmin(share, truth->node[*lower].mbps / (users[*lower][up] ? users[*lower][up] : 1));
        *lower = truth->node[*lower].parent;
    }
    return share;
}

/* STREAMS between nodes of TRUTH. */
static inline void carry(const struct star_topology *truth, const struct star_stream *streams, int count,
                         double *mbps)
{
    int users[CROSSING_NODES][2] = {{0}};
    assert_true(truth->nodes <= CROSSING_NODES);
    for (int i = 0; i < count; i++)
        cross(truth, streams[i].from, streams[i].to, 1, users);
    for (int i = 0; i < count; i++)
        mbps[i] = cross(truth, streams[i].from, streams[i].to, 0, users);
}
