/* SPDX-License-Identifier: BSD-3-Clause
 * Streams between machines, which whoever measures runs for those who draw conclusions. */
#pragma once

#include "util/why.h"

/* Bytes as fast as they go, from one machine to another. */
struct star_stream {
    int from, to;
};

/* Runs COUNT streams at the same time, no machine in two, and says the Mbit/s of each. LEFT: about how many
 * more times it will be asked to. A negative error stops all. */
struct star_streams {
    int (*run)(const struct star_stream *streams, int count, double *mbps, int left, void *context,
               struct star_why *why);
    void *context;
};
