/* SPDX-License-Identifier: BSD-3-Clause
 * What is foreseen of a method's calls: the cost model's words, and the tuner's. */
#pragma once

#include "util/seconds.h"

/* Seconds, on the network that is known, or assumed, or STAR_UNKNOWN_SECONDS. */
struct star_prospect {
    double seconds; /* of a call alone; unknown: nothing is foreseen */
    double latency; /* of it, were links infinitely fast */
    double link;    /* that the busiest link needs for its bytes: of a machine's, or, where the network is
                       known, of all */
    /* The same of a link as fast between two switches, with half of the machines on either: the first half
     * on one, or every other; unknown where the network is known. */
    double halves, turns;
};

#define STAR_NO_PROSPECT                                                                                     \
    ((struct star_prospect){STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS,                \
                            STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS})
