/* SPDX-License-Identifier: BSD-3-Clause
 * A topology: the tree of switches and machines, as a file describes it or discovery finds it. Links are full
 * duplex, of the same bandwidth in both directions. */
#pragma once

#include "util/text.h"
#include "util/why.h"

#include <stdbool.h>

/* What a file may hold, so that an absurd one is refused early. */
enum { STAR_NODES_MOST = 1 << 20, STAR_NODE_NAME_MOST = 255 };
/* A link's bandwidth where nobody says: only their ratios matter then. */
#define STAR_MBPS_PRESET 1000.0

struct star_node {
    char *name;
    int parent;   /* the node that it hangs on; −1: the root */
    double mbps;  /* of the link to the parent, 10^6 bits a second each way; the root's is 0 */
    bool machine; /* a leaf, where ranks run; else a switch */
    int slots;    /* machines: ranks that may run there, 1 at least */
};

/* Nodes are in depth-first order, each after its parent: the root is node 0. There is at least one machine,
 * and no switch is a leaf. Where nothing connects parts of a network, the root is no switch: it has no name,
 * and the parts hang on it. Topologies are made by star_graph_topology. */
struct star_topology {
    struct star_node *node;
    int nodes, machines, root;
    int islands;     /* that hang on a root without a name; 0: the root is a switch */
    int *by_name;    /* the machines' nodes, sorted by name */
    int by_id;       /* machines of a graph whose names are ids, because nobody knows what they are called */
    int spare;       /* links of a graph that its spanning tree leaves out */
    bool has_speeds; /* some link's bandwidth was given */
};

void star_topology_free(struct star_topology *topology);

/* The machine of that name, or −1. A host's full name (n1.cluster.org) finds its first part (n1) too, and the
 * other way round. */
int star_topology_machine(const struct star_topology *topology, const char *name);

/* The first node that is a switch or machine: 1 where there are islands, else 0. */
int star_topology_first(const struct star_topology *topology);
/* Are there islands, and is NODE on another one than OTHER? */
bool star_topology_parts(const struct star_topology *topology, int node, int other);

/* Ranks that all machines together have room for. */
int64_t star_topology_slots(const struct star_topology *topology);
