/* SPDX-License-Identifier: BSD-3-Clause
 * A topology in the making: switches, machines and the links between them, in any order, as readers and
 * discovery find them. star_graph_topology checks them and makes the tree. */
#pragma once

#include "topology/names.h"
#include "topology/topology.h"

enum { STAR_SLOTS_MOST = 1 << 16 };

struct star_graph {
    const char *file; /* that is read: what is added now comes from there, and reasons name it */
    struct star_graph_node {
        char *name;
        bool machine;
        int slots;
        int island; /* numbered from 1 on: no way leads over a link from one to another; 0: any may */
        const char *file;
        int line; /* 0: none */
    } * node;
    struct star_graph_link {
        int from, to;
        double mbps; /* 0: not given */
        const char *file;
        int line;
    } * link;
    int nodes, links;
    struct star_names names;
    int by_id;   /* machines whose names are ids, because nobody knows what they are called */
    char **kept; /* names of files */
    int keeps;
};

void star_graph_free(struct star_graph *graph);

/* A copy of the name of a file, for reasons, that lives as long as the graph; NULL: out of memory. */
const char *star_graph_keep_file(struct star_graph *graph, const char *name);

/* The new node's number, or a negative error: STAR_EINPUT for a bad name, one that is there already, and more
 * than STAR_NODES_MOST; STAR_EMEMORY. SLOTS are a machine's, 1…STAR_SLOTS_MOST. */
int star_graph_add_switch(struct star_graph *graph, const char *name, int line, struct star_why *why);
int star_graph_add_machine(struct star_graph *graph, const char *name, int slots, int line,
                           struct star_why *why);
int star_graph_add_link(struct star_graph *graph, int from, int to, double mbps, int line,
                        struct star_why *why);
/* The switch of that name, or STAR_EINPUT, which suggests the nearest name. */
int star_graph_find_switch(const struct star_graph *graph, const char *name, int line, struct star_why *why);
/* The switch without a name, above all others. */
int star_graph_add_top(struct star_graph *graph, struct star_why *why);
/* May a node be called so: letters, digits and ._-:/+@, at most STAR_NODE_NAME_MOST of them. */
bool star_graph_name_is_good(const char *name);

struct star_graph_rules {
    int root;         /* the switch that becomes the tree's root */
    bool spare_links; /* a spanning tree is used: the way of least cost to the root; else a cycle is wrong */
    bool downward;    /* links go from parent to child: with spare links, a switch below itself is wrong */
    bool spare_switches; /* switches without a machine below are left out; else they are wrong */
    int islands;         /* how many trees hang below the root, which has no name then; 0: it is one tree */
};
