/* SPDX-License-Identifier: BSD-3-Clause
 * From a graph to its tree. */
#pragma once

#include "topology/graph.h"

/* Checks the graph and makes its tree. Ways to the root cost, as for Ethernet's bridges, the sum of what is
 * inversely proportional to bandwidths; among equal ones the neighbour whose name is first counts, then the
 * earlier link. */
int star_graph_topology(const struct star_graph *graph, const struct star_graph_rules *rules,
                        struct star_topology **topology, struct star_why *why);
