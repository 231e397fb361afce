/* SPDX-License-Identifier: BSD-3-Clause
 * From hop counts to the tree. */
#pragma once

#include "topology/topology.h"

/* The tree in which machines are so many links apart; without bandwidths. Switches are named s0, s1, …, or
 * with another word where machines are named so. STAR_ENEEDS: there is none; STAR_EINPUT: a name is bad or
 * there twice; STAR_EMEMORY. */
int star_infer_tree(const int *hops, int machines, const char *const *name, struct star_topology **topology,
                    struct star_why *why);
