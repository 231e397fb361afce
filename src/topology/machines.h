/* SPDX-License-Identifier: BSD-3-Clause
 * Networks of machines of which no more is known. */
#ifndef STAR_TOPOLOGY_MACHINES_H
#define STAR_TOPOLOGY_MACHINES_H

#include "topology/network.h"

/* Machines on one switch, each on a link of RATE bytes a second. NODE tells each rank's machine, numbered by
 * first appearance; NULL: each has its own. NULL when out of memory. */
struct star_network *star_network_of_machines(const int *node, int ranks, double rate);

#endif
