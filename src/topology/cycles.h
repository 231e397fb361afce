/* SPDX-License-Identifier: BSD-3-Clause
 * Cycles of a graph. */
#pragma once

#include "topology/graph.h"

/* STAR_EINPUT where a graph that is to be a tree is none. */
int star_graph_check_cycles(const struct star_graph *graph, struct star_why *why);
/* STAR_EINPUT where a switch is below itself, of links that go from parent to child. */
int star_graph_check_descent(const struct star_graph *graph, struct star_why *why);
