/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery where round trips are not clear: the tree from streams alone. Of two streams at the same time,
 * one from A to B and one from X to Y, each is slowed down when both cross a link in the same direction, and
 * neither when they do not: so A and X are on one side of a trunk, B and Y on the other. That is a matter of
 * half a bandwidth, where a hop is one of microseconds.
 *
 * Seen are trunks with two machines at least on either side that are no faster than the machines. Faster ones
 * look like one switch with what is behind them, and are refused where streams of all machines crowd them, as
 * far as round trips say who is near. A network whose machines are not equally fast to one another is
 * refused, because what is slow hides what it does not crowd. */
#pragma once

#include "topology/infer.h"
#include "topology/streams.h"

/* With fewer machines no two streams can share a trunk. */
enum { STAR_STREAMS_MACHINES_LEAST = 4 };
/* Two streams are apart when either has this share of what it has alone, once in some tries; they share a
 * link when none has more than STAR_SLOWED of it; all else is not clear. */
#define STAR_APART 0.85
/* How near the best two measurements of one stream alone must come to each other … */
#define STAR_AGREE 0.9
/* … and the slowest of all streams alone to the fastest. */
#define STAR_ALIKE 0.7

/* The tree, without bandwidths. TRIPS need not be clear: they say in which order to look, and where a fast
 * trunk may be. Streams are between their machines. It takes a time of MACHINES² streams. STAR_ENEEDS: not
 * clear; else as star_infer_tree and as the streams. */
int star_infer_streams(const struct star_trips *trips, const struct star_streams *streams,
                       struct star_topology **topology, struct star_why *why);
