/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery: the tree of switches from round trips between machines, after J. Lawrence and X. Yuan (An MPI
 * tool for automatically discovering the switch level topologies of Ethernet clusters, IPDPS 2008). Round
 * trips become hop counts, hop counts become a tree, and the tree must say the same hop counts again. What is
 * not clear is refused: a wrong tree is worse than none.
 *
 * Assumed: every link with its switch adds the same time to a round trip, and two machines at least share a
 * switch. Nobody can see, and so the tree leaves out: a switch that only passes on between two others, on all
 * ways alike; what lies behind links that carry no machine. */
#pragma once

#include "topology/topology.h"

/* When groups of round trips are clearly separated: the gap between two groups is at least so many times the
 * noise, which is what the best three measurements of one pair differ by … */
#define STAR_INFER_GAP_TO_NOISE 4.0
/* … so many times the width of the widest group, and so many times a gap within a group: else hop counts that
 * noise makes one group could pass for one, where another part of the network is many links away … */
#define STAR_INFER_GAP_TO_WIDTH 2.0
#define STAR_INFER_GAP_TO_INNER 4.0
/* … and such a share of the least round trip: links that add less are not seen. */
#define STAR_INFER_GAP_SHARE 0.02
/* Where all is one group, a gap of this share must have been seen if there were one. */
#define STAR_INFER_LONE_SHARE 0.05
/* How far groups may be from where so many equal links would put them, as a share of what a link adds. */
#define STAR_INFER_UNEVEN 0.09

/* Minima of many round trips, in seconds, each measured several times over, at different times: three at
 * least. */
struct star_trips {
    int machines, sweeps;
    const char *const *name; /* of each machine */
    const double *seconds;   /* [sweep][from][to]; those from a machine to itself are not read */
};

/* ORDER: the machines, those first whose round trip to machine ONE, which is the very first, is shortest. */
void star_infer_order(const struct star_trips *trips, int one, int *order);

/* From round trips to the tree. Which hop count a group stands for is known up to a factor (two groups: 2 and
 * 3 links, or 2 and 4); the least factor for which there is a tree is taken: with greater ones only switches
 * that pass on between two others would be added. */
int star_infer(const struct star_trips *trips, struct star_topology **topology, struct star_why *why);
