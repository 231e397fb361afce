/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks on a tree of machines by halving: the tree's branches are parted into two groups of about as many
 * slots, and the ranks into two sets that send little to each other, until a group is one machine. */
#pragma once

#include "place/matrix.h"
#include "topology/topology.h"

/* MACHINE[i] becomes the topology's node of each of COUNT: the ranks, and those behind them, who send
 * nothing. SLOTS[node] are a machine's; COUNT in all. A message counts as BYTES_OF_MESSAGE more bytes.
 * STAR_EMEMORY. */
int star_bisect(const struct star_matrix *matrix, const struct star_topology *topology, const int *slots,
                int count, double bytes_of_message, int *machine, struct star_why *why);
