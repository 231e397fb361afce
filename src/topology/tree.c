/* SPDX-License-Identifier: BSD-3-Clause
 * From a graph to its tree: ways to the root, what is not connected, switches without machines. No
 * recursion: a chain of a million switches is a tree as well. */
#include "topology/tree.h"
#include "topology/cycles.h"
#include "util/agenda.h"
#include "util/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ways {
    const struct star_graph *graph;
    int *start; /* of each node: where its links begin in NEAR; one more at the end */
    int *near;  /* links */
    int64_t *cost;
    int *up;    /* link towards the root; −1: none */
    int *order; /* nodes as they were reached for good */
    int reached;
    int *below;                 /* of each node: how often it was reached, then the machines at or below it */
    int *number;                /* of each node: its first child, then its number in the topology */
    int *next;                  /* of each node: the next child of its parent */
    struct star_agenda waiting; /* nodes by the costs of their ways */
};

static double mbps_of(const struct star_graph_link *link)
{
    return link->mbps > 0 ? link->mbps : STAR_MBPS_PRESET;
}

/* As IEEE 802.1t: 20 Tb/s cost 1. Here 1000 times that, so that no bandwidth of ours costs nothing. */
static int64_t cost_of(const struct star_graph_link *link)
{
    int64_t cost = (int64_t)llround(2e10 / mbps_of(link));
    return cost > 1 ? cost : 1;
}

static int other_end(const struct star_graph_link *link, int node)
{
    return link->from == node ? link->to : link->from;
}

static void list_links(struct ways *ways)
{
    const struct star_graph *graph = ways->graph;
    for (int i = 0; i < graph->links; i++) {
        ways->start[graph->link[i].from + 1]++;
        ways->start[graph->link[i].to + 1]++;
    }
    for (int i = 0; i < graph->nodes; i++)
        ways->start[i + 1] += ways->start[i];
    for (int i = graph->links - 1; i >= 0; i--) { /* each list from its end, in NUMBER, which is free yet */
        const struct star_graph_link *link = &graph->link[i];
        ways->near[ways->start[link->from + 1] - ++ways->number[link->from]] = i;
        ways->near[ways->start[link->to + 1] - ++ways->number[link->to]] = i;
    }
}

static bool ways_begin(struct ways *ways, const struct star_graph *graph, struct star_scratch *scratch)
{
    size_t nodes = (size_t)graph->nodes;
    *ways = (struct ways){.graph = graph,
                          .start = star_scratch(scratch, nodes + 1, sizeof(int)),
                          .near = star_scratch(scratch, 2 * (size_t)graph->links, sizeof(int)),
                          .cost = star_scratch(scratch, nodes, sizeof(int64_t)),
                          .up = star_scratch(scratch, nodes, sizeof(int)),
                          .next = star_scratch(scratch, nodes, sizeof(int)),
                          .order = star_scratch(scratch, nodes, sizeof(int)),
                          .below = star_scratch(scratch, nodes, sizeof(int)),
                          .number = star_scratch(scratch, nodes, sizeof(int))};
    if (scratch->failed)
        return false;
    list_links(ways);
    for (int i = 0; i < graph->nodes; i++) {
        ways->cost[i] = INT64_MAX;
        ways->up[i] = -1;
    }
    return true;
}

/* Is the way of NODE over LINK better than the one it has? */
static bool is_better(const struct ways *ways, int node, int link, int64_t cost)
{
    if (cost != ways->cost[node] || ways->up[node] < 0)
        return cost < ways->cost[node];
    const struct star_graph *graph = ways->graph;
    int old = other_end(&graph->link[ways->up[node]], node), new = other_end(&graph->link[link], node);
    int names = strcmp(graph->node[new].name, graph->node[old].name);
    return names < 0 || (names == 0 && link < ways->up[node]);
}

static bool is_between_islands(const struct star_graph *graph, const struct star_graph_link *link)
{
    int from = graph->node[link->from].island, to = graph->node[link->to].island;
    return from != to && from != 0 && to != 0;
}

/* False: out of memory. */
static bool look_from(struct ways *ways, int node)
{
    for (int i = ways->start[node]; i < ways->start[node + 1]; i++) {
        const struct star_graph_link *link = &ways->graph->link[ways->near[i]];
        int next = other_end(link, node);
        int64_t cost = ways->cost[node] + cost_of(link);
        if (is_between_islands(ways->graph, link) || !is_better(ways, next, ways->near[i], cost))
            continue;
        ways->cost[next] = cost;
        ways->up[next] = ways->near[i];
        if (!star_agenda_add(&ways->waiting, (double)cost, 0, next))
            return false;
    }
    return true;
}

/* Dijkstra's way from ROOT to all; machines pass nothing on. A node that waits more than once is taken for
 * its cheapest way. False: out of memory. */
static bool find_ways(struct ways *ways, int root)
{
    ways->cost[root] = 0;
    bool good = star_agenda_add(&ways->waiting, 0, 0, root);
    while (good && ways->waiting.count > 0) {
        int node = star_agenda_take(&ways->waiting).subject;
        if (ways->below[node]++ > 0)
            continue;
        ways->order[ways->reached++] = node;
        good = ways->graph->node[node].machine || look_from(ways, node);
    }
    star_agenda_free(&ways->waiting);
    return good;
}

static int check_reached(const struct ways *ways, const struct star_graph_rules *rules, struct star_why *why)
{
    const struct star_graph *graph = ways->graph;
    const struct star_graph_node *first = NULL;
    bool wrong = false;
    for (int i = 0; i < graph->nodes && ways->reached < graph->nodes; i++)
        if (ways->cost[i] == INT64_MAX) {
            first = first ? first : &graph->node[i];
            wrong = wrong || !rules->spare_switches || graph->node[i].machine;
        }
    return wrong ? star_because(why, STAR_EINPUT, "%.150s:%d: %s '%.80s' is not connected to '%.80s'",
                                first->file, first->line, first->machine ? "host" : "switch", first->name,
                                graph->node[rules->root].name)
                 : 0;
}

static int count_machines(struct ways *ways)
{
    const struct star_graph *graph = ways->graph;
    for (int i = 0; i < graph->nodes; i++)
        ways->below[i] = graph->node[i].machine;
    for (int i = ways->reached - 1; i > 0; i--) {
        int node = ways->order[i];
        ways->below[other_end(&graph->link[ways->up[node]], node)] += ways->below[node];
    }
    return ways->below[ways->order[0]];
}

static int check_switches(const struct ways *ways, struct star_why *why)
{
    const struct star_graph *graph = ways->graph;
    for (int i = 0; i < graph->nodes; i++)
        if (ways->below[i] == 0)
            return star_because(why, STAR_EINPUT, "%.150s:%d: switch '%.80s' has no host below it",
                                graph->node[i].file, graph->node[i].line, graph->node[i].name);
    return 0;
}

static int compare_names(const void *a, const void *b, void *context)
{
    const struct star_topology *topology = context;
    return strcmp(topology->node[*(const int *)a].name, topology->node[*(const int *)b].name);
}

/* Puts ORDER depth first: switches and machines below a switch in the order of the graph. */
static void order_depth_first(struct ways *ways)
{
    const struct star_graph *graph = ways->graph;
    int *next = ways->next, *first = ways->number, root = ways->order[0];
    for (int i = 0; i < graph->nodes; i++)
        first[i] = next[i] = -1;
    for (int i = graph->nodes - 1; i >= 0; i--) {
        if (ways->up[i] < 0) /* the root, or not reached */
            continue;
        int parent = other_end(&graph->link[ways->up[i]], i);
        next[i] = first[parent];
        first[parent] = i;
    }
    for (int at = 0, node = root; at < ways->reached; at++) {
        ways->order[at] = node;
        if (first[node] >= 0) {
            node = first[node];
            continue;
        }
        while (node != root && next[node] < 0)
            node = other_end(&graph->link[ways->up[node]], node);
        node = next[node];
    }
}

/* Those nodes that have machines. NUMBER takes their new ones. */
static bool fill(struct ways *ways, struct star_topology *topology)
{
    const struct star_graph *graph = ways->graph;
    topology->node = calloc((size_t)graph->nodes, sizeof *topology->node);
    topology->by_name = malloc((size_t)graph->nodes * sizeof *topology->by_name);
    if (topology->node == NULL || topology->by_name == NULL)
        return false;
    order_depth_first(ways);
    for (int i = 0; i < ways->reached; i++) {
        int from = ways->order[i];
        const struct star_graph_link *up = i > 0 ? &graph->link[ways->up[from]] : NULL;
        if (ways->below[from] == 0)
            continue;
        struct star_node *node = &topology->node[topology->nodes];
        *node = (struct star_node){.name = strdup(graph->node[from].name),
                                   .parent = up ? ways->number[other_end(up, from)] : -1,
                                   .mbps = up ? mbps_of(up) : 0,
                                   .machine = graph->node[from].machine,
                                   .slots = graph->node[from].slots};
        if (node->name == NULL)
            return false;
        if (node->machine)
            topology->by_name[topology->machines++] = topology->nodes;
        topology->has_speeds = topology->has_speeds || (up && up->mbps > 0);
        ways->number[from] = topology->nodes++;
    }
    qsort_r(topology->by_name, (size_t)topology->machines, sizeof(int), compare_names, topology);
    return true;
}

/* Of a network, links to switches without machines are spare, too. */
static int count_spare(const struct ways *ways, const struct star_graph_rules *rules,
                       const struct star_topology *topology)
{
    const struct star_graph *graph = ways->graph;
    int links = 0;
    if (!rules->downward)
        return graph->links - (topology->nodes - 1);
    for (int i = 0; i < graph->links; i++)
        links += ways->cost[graph->link[i].from] != INT64_MAX;
    return links - (ways->reached - 1);
}

static int make(struct ways *ways, const struct star_graph_rules *rules, struct star_topology **topology,
                struct star_why *why)
{
    const struct star_graph *graph = ways->graph;
    if (!find_ways(ways, rules->root))
        return star_because(why, STAR_EMEMORY, "out of memory for the ways of %d nodes", graph->nodes);
    int error = check_reached(ways, rules, why);
    if (!error && count_machines(ways) == 0)
        error = star_because(why, STAR_EINPUT, "%.150s: no host in it", graph->file);
    if (!error && !rules->spare_switches)
        error = check_switches(ways, why);
    if (error)
        return error;
    struct star_topology *made = calloc(1, sizeof *made);
    if (made == NULL || !fill(ways, made)) {
        star_topology_free(made);
        return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    }
    made->islands = rules->islands;
    made->by_id = graph->by_id;
    if (rules->spare_links)
        made->spare = count_spare(ways, rules, made);
    *topology = made;
    return 0;
}

int star_graph_topology(const struct star_graph *graph, const struct star_graph_rules *rules,
                        struct star_topology **topology, struct star_why *why)
{
    struct ways ways;
    struct star_scratch scratch = {0};
    int error = 0;
    if (graph->nodes == 0 || graph->node[rules->root].machine)
        return star_because(why, STAR_EINPUT, "%.150s: no switch in it", graph->file);
    if (rules->downward)
        error = star_graph_check_descent(graph, why);
    else if (!rules->spare_links)
        error = star_graph_check_cycles(graph, why);
    if (error)
        return error;
    if (ways_begin(&ways, graph, &scratch))
        error = make(&ways, rules, topology, why);
    else
        error = star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    star_scratch_free(&scratch);
    return error;
}
