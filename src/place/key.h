/* SPDX-License-Identifier: BSD-3-Clause
 * Which placements are one: the same ranks together on hosts and switches, whatever these are called. */
#pragma once

#include "topology/topology.h"
#include "util/text.h"

#include <stdint.h>

/* Of RANKS on the nodes MACHINE of TOPOLOGY; 0: out of memory, or nothing connects them. */
uint64_t star_placement_key(const struct star_topology *topology, const int *machine, int ranks);

/* Appends the hosts of the ranks as a report has them: "n0*4 n1" for four ranks on n0 and the next on n1.
 * Without the machines' names: their numbers. */
void star_placement_write(const struct star_topology *topology, const int *machine, int ranks,
                          struct star_text *text);
