/* SPDX-License-Identifier: BSD-3-Clause
 * How fast an operation can be at best on a network: what must cross each link, over its rate. Start-up times
 * are not known and count nothing. Necessary, not always attainable. */
#pragma once

#include "algorithms/method.h"
#include "topology/network.h"

/* What limits: a directed link (2 × node, + 1 when it goes down), or: */
enum {
    STAR_LIMIT_NONE = -1,    /* nothing: no link is limited, or nothing must move */
    STAR_LIMIT_TOGETHER = -2 /* all machines' links together */
};

struct star_bound {
    double seconds;
    int limit;
};

/* Ethernet with TCP: bytes of payload in a full frame, and what it takes of the wire, preamble and gap
 * included. */
enum { STAR_FRAME_PAYLOAD = 1448, STAR_FRAME_WIRE = 1538 };

/* BYTES as the operation measures them (star_measures); of all ranks together, they count as shared out
 * evenly. ROOT matters for rooted operations. STAR_ENEEDS: no rank knows the bytes of the operation;
 * STAR_EINPUT: no such root; STAR_EMEMORY. */
int star_bound_of(enum star_operation operation, const struct star_network *network, int root, double bytes,
                  struct star_bound *bound, struct star_why *why);
