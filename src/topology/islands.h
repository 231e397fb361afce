/* SPDX-License-Identifier: BSD-3-Clause
 * The root of a graph's tree, or of the trees of its islands. */
#pragma once

#include "topology/graph.h"

/* Chooses the root. Where nothing connects the switches of some machines with those of others,
 * these are islands: the root becomes one more switch, without a name, that has each island's root below it.
 * The root of an island is its switch of greatest RANK, which has a figure for each node; among equal ones
 * the first, or, BY_NAME, the one whose name is first. RANK may be NULL: all are equal. */
int star_graph_join_islands(struct star_graph *graph, const int *rank, bool by_name,
                            struct star_graph_rules *rules, struct star_why *why);
/* The same where links go from parent to child: those that no link leads to are the roots. */
int star_graph_join_trees(struct star_graph *graph, struct star_graph_rules *rules, struct star_why *why);
