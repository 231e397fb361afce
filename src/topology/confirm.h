/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery's second half: streams between machines say how fast each link of a tree is, and whether the tree
 * is right: streams that share a link must share its bandwidth, and streams that share none must not slow one
 * another down. */
#pragma once

#include "topology/streams.h"
#include "topology/topology.h"

/* A machine's link that seems slower than this share of the fastest one is measured again. */
#define STAR_SLOWER 0.9
/* A stream that another slows down is slower than this share of what it was alone. */
#define STAR_SLOWED 0.7
/* Streams over a link that was full may not be faster together than so many times its bandwidth. */
#define STAR_OVERFULL 1.3
/* More streams over a link are faster when they are so many times faster. */
#define STAR_RISE 1.1

/* Streams are between the topology's nodes. Sets the bandwidth of each link of TOPOLOGY: of a machine's, what
 * its fastest stream carried; of a trunk, what as many streams as make it faster carried together, which is
 * the least that it may have where its machines cannot fill it. STAR_ENEEDS: the streams contradict the tree;
 * STAR_EMEMORY. */
int star_confirm(struct star_topology *topology, const struct star_streams *streams, struct star_why *why);

/* The usual bandwidth that MBPS of payload are within 10 % of; else two digits of it. */
double star_usual_mbps(double mbps);
