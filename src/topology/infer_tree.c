/* SPDX-License-Identifier: BSD-3-Clause
 * Hop counts to the tree: machine by machine, as seen from machine 0. The way to a new machine leaves that of
 * an earlier one as deep as any of them says; from there on it gets nodes of its own. Exact where there is a
 * tree; where there is none, the tree made says other hop counts. */
#include "topology/infer_tree.h"
#include "topology/graph.h"
#include "topology/tree.h"
#include "util/scratch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes seen from machine 0, which is node 0. */
struct seen {
    int *parent, *depth, nodes;
    int *node; /* of each machine */
};

/* No way has more nodes than its links. */
static bool seen_begin(struct seen *seen, const int *hops, int machines, struct star_scratch *scratch)
{
    size_t most = 1;
    for (int i = 0; i < machines; i++)
        most += (size_t)hops[i];
    *seen = (struct seen){.parent = star_scratch(scratch, most, sizeof(int)),
                          .depth = star_scratch(scratch, most, sizeof(int)),
                          .node = star_scratch(scratch, (size_t)machines, sizeof(int)),
                          .nodes = 1};
    if (!scratch->failed)
        seen->parent[0] = -1;
    return !scratch->failed;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The node where the way to MACHINE leaves those to earlier ones. Machines are leaves, so it is neither of
 * two, whatever the hop counts say. */
static int fork_of(const struct seen *seen, const int *hops, int machines, int machine)
{
    int deepest = 0, beside = 0;
    for (int i = 1; i < machine; i++) {
        int together = (hops[i] + hops[machine] - hops[i * machines + machine]) / 2;
        together = least(together, least(hops[i], hops[machine]) - 1);
        together = together < 1 ? 1 : together;
        if (together > deepest) {
            deepest = together;
            beside = i;
        }
    }
    int node = seen->node[beside];
    while (seen->depth[node] > deepest)
        node = seen->parent[node];
    return node;
}

static void hang(struct seen *seen, int fork, int machine, int depth)
{
    int above = fork;
    while (seen->depth[above] < depth) {
        seen->parent[seen->nodes] = above;
        seen->depth[seen->nodes] = seen->depth[above] + 1;
        above = seen->nodes++;
    }
    seen->node[machine] = above;
}

static int links_between(const struct seen *seen, int one, int other)
{
    int links = 0;
    for (; one != other; links++)
        if (seen->depth[one] > seen->depth[other])
            one = seen->parent[one];
        else
            other = seen->parent[other];
    return links;
}

static int check(const struct seen *seen, const int *hops, int machines, const char *const *name,
                 struct star_why *why)
{
    for (int from = 0; from < machines; from++)
        for (int to = 0; to < machines; to++) {
            int links = links_between(seen, seen->node[from], seen->node[to]);
            if (links != hops[from * machines + to])
                return star_because(why, STAR_ENEEDS,
                                    "no tree: round trips say that %.80s and %.80s are %d links apart, and "
                                    "the tree of all others says %d",
                                    name[from], name[to], hops[from * machines + to], links);
        }
    return 0;
}

/* What to call switches, so that no machine has the name. */
static const char *word_for_switches(int machines, const char *const *name)
{
    static const char *const words[] = {"s", "switch", "inferred-switch"};
    enum { WORDS = sizeof words / sizeof *words };
    for (int w = 0; w < WORDS; w++) {
        size_t length = strlen(words[w]);
        bool free = true;
        for (int i = 0; i < machines; i++)
            free =
                free && !(strncmp(name[i], words[w], length) == 0 && isdigit((unsigned char)name[i][length]));
        if (free)
            return words[w];
    }
    return words[WORDS - 1];
}

/* NUMBER takes each node's in the graph. Switches come first, as they were found. */
static int add_nodes(const struct seen *seen, int machines, const char *const *name, struct star_graph *graph,
                     int *number, struct star_why *why)
{
    const char *word = word_for_switches(machines, name);
    for (int i = 0; i < seen->nodes; i++)
        number[i] = 0;
    for (int i = 0; i < machines; i++)
        number[seen->node[i]] = -1;
    for (int i = 0, switches = 0; i < seen->nodes; i++) {
        char called[STAR_NODE_NAME_MOST + 1];
        if (number[i] < 0)
            continue;
        snprintf(called, sizeof called, "%s%d", word, switches++);
        if ((number[i] = star_graph_add_switch(graph, called, 0, why)) < 0)
            return number[i];
    }
    for (int i = 0; i < machines; i++) {
        int *machine = &number[seen->node[i]];
        if ((*machine = star_graph_add_machine(graph, name[i], 1, 0, why)) < 0)
            return *machine;
    }
    return 0;
}

static int make(const struct seen *seen, int machines, const char *const *name,
                struct star_topology **topology, struct star_why *why)
{
    struct star_graph graph = {.file = "discovery"};
    int *number = malloc((size_t)seen->nodes * sizeof *number);
    int error = number == NULL ? star_because(why, STAR_EMEMORY, "out of memory for %d nodes", seen->nodes)
                               : add_nodes(seen, machines, name, &graph, number, why);
    for (int i = 1; i < seen->nodes && error == 0; i++) {
        int link = star_graph_add_link(&graph, number[seen->parent[i]], number[i], 0, 0, why);
        error = link < 0 ? link : 0;
    }
    /* node 1 is the switch of machine 0: the first one */
    struct star_graph_rules rules = {.root = error ? 0 : number[1]};
    if (error == 0)
        error = star_graph_topology(&graph, &rules, topology, why);
    free(number);
    star_graph_free(&graph);
    return error;
}

int star_infer_tree(const int *hops, int machines, const char *const *name, struct star_topology **topology,
                    struct star_why *why)
{
    struct seen seen;
    struct star_scratch scratch = {0};
    if (machines < 2)
        return star_because(why, STAR_ENEEDS, "a tree of one machine is no discovery");
    int error = 0;
    if (!seen_begin(&seen, hops, machines, &scratch))
        error = star_because(why, STAR_EMEMORY, "out of memory for the tree of %d machines", machines);
    if (!error) {
        for (int i = 1; i < machines; i++)
            hang(&seen, fork_of(&seen, hops, machines, i), i, hops[i]);
        error = check(&seen, hops, machines, name, why);
    }
    if (!error)
        error = make(&seen, machines, name, topology, why);
    star_scratch_free(&scratch);
    return error;
}
