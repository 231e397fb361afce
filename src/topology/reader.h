/* SPDX-License-Identifier: BSD-3-Clause
 * What the readers of topology files share: what statements say of lists of names. */
#pragma once

#include "topology/graph.h"
#include "util/source.h"

/* Add what a list of names (hostlist.h) says: switches; links from the switch AT to switches, which are
 * there; machines, each linked to AT. MBPS 0: not given. */
int star_source_switches(struct star_source *source, struct star_graph *graph, const char *names);
int star_source_links(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps);
int star_source_machines(struct star_source *source, struct star_graph *graph, int at, const char *names,
                         double mbps, int slots);
/* The same for Slurm, whose nodes may be there already: they hang on several switches then. */
int star_source_nodes(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps);
/* "100", "100M", "2.5G": Mbit/s, within what may be. */
int star_source_mbps(const struct star_source *source, const char *word, double *mbps);

/* A kind of file. KNOWS looks at the first line that is neither empty nor a comment. */
struct star_reader {
    bool (*knows)(const char *line);
    int (*read)(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules);
};
