/* SPDX-License-Identifier: BSD-3-Clause
 * Binary trees for pipelined broadcasts in which no link carries two messages in one direction, but those of
 * one sender. Patarasuk, Faraj, Yuan: Pipelined Broadcast on Ethernet Switched Clusters, IPDPS 2006. */
#pragma once

#include "topology/network.h"

enum { STAR_FREE_TREE_MOST = 512 }; /* ranks: time grows with their cube */

/* The flattest such tree over the ranks depth first from ROOT on, around the end: members 0, 1, … A member's
 * subtree is the members from it on, without a gap; its children are the next one, and SECOND[member], or 0
 * where it has no second one. SECOND has room for all. STAR_EMEMORY, STAR_ENEEDS: too many ranks. */
int star_free_tree(const struct star_network *network, int root, int *second, struct star_why *why);
