/* SPDX-License-Identifier: BSD-3-Clause
 * From a graph to its tree: ways to the root, what is not connected, switches without machines. No
 * recursion: a chain of a million switches is a tree as well. */
#include "topology/tree.h"
#include "topology/cycles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ways {
    const struct star_graph *graph;
    int *start; /* of each node: where its links begin in NEAR; one more at the end */
    int *near;  /* links */
    int64_t *cost;
    int *up;              /* link towards the root; −1: none */
    int *order, *heap_at; /* nodes as they were reached for good; where a node is in the heap, −1: not */
    int *heap;
    int reached, waiting;
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

static void ways_free(struct ways *ways)
{
    free(ways->start);
    free(ways->near);
    free(ways->cost);
    free(ways->up);
    free(ways->order);
    free(ways->heap_at);
    free(ways->heap);
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
    for (int i = graph->links - 1; i >= 0; i--) { /* each list from its end, in heap_at, which is free yet */
        const struct star_graph_link *link = &graph->link[i];
        ways->near[ways->start[link->from + 1] - ++ways->heap_at[link->from]] = i;
        ways->near[ways->start[link->to + 1] - ++ways->heap_at[link->to]] = i;
    }
}

static bool ways_begin(struct ways *ways, const struct star_graph *graph)
{
    size_t nodes = (size_t)graph->nodes;
    *ways = (struct ways){.graph = graph,
                          .start = calloc(nodes + 1, sizeof(int)),
                          .near = malloc((2 * (size_t)graph->links + 1) * sizeof(int)),
                          .cost = malloc(nodes * sizeof(int64_t)),
                          .up = calloc(nodes, sizeof(int)),
                          .order = malloc(nodes * sizeof(int)),
                          .heap_at = calloc(nodes, sizeof(int)),
                          .heap = malloc(nodes * sizeof(int))};
    if (!ways->start || !ways->near || !ways->cost || !ways->up || !ways->order || !ways->heap_at ||
        !ways->heap)
        return false;
    list_links(ways);
    for (int i = 0; i < graph->nodes; i++) {
        ways->cost[i] = INT64_MAX;
        ways->up[i] = ways->heap_at[i] = -1;
    }
    return true;
}

static void put(struct ways *ways, int at, int node)
{
    ways->heap[at] = node;
    ways->heap_at[node] = at;
}

static void rise(struct ways *ways, int node)
{
    int at = ways->heap_at[node];
    for (; at > 0 && ways->cost[ways->heap[(at - 1) / 2]] > ways->cost[node]; at = (at - 1) / 2)
        put(ways, at, ways->heap[(at - 1) / 2]);
    put(ways, at, node);
}

/* The waiting node with the cheapest way. */
static int take_nearest(struct ways *ways)
{
    int nearest = ways->heap[0], last = ways->heap[--ways->waiting], at = 0;
    for (int child; (child = 2 * at + 1) < ways->waiting; at = child) {
        if (child + 1 < ways->waiting && ways->cost[ways->heap[child + 1]] < ways->cost[ways->heap[child]])
            child++;
        if (ways->cost[ways->heap[child]] >= ways->cost[last])
            break;
        put(ways, at, ways->heap[child]);
    }
    if (ways->waiting > 0)
        put(ways, at, last);
    return nearest;
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

static void look_from(struct ways *ways, int node)
{
    for (int i = ways->start[node]; i < ways->start[node + 1]; i++) {
        const struct star_graph_link *link = &ways->graph->link[ways->near[i]];
        int next = other_end(link, node);
        int64_t cost = ways->cost[node] + cost_of(link);
        if (is_between_islands(ways->graph, link) || !is_better(ways, next, ways->near[i], cost))
            continue;
        if (ways->cost[next] == INT64_MAX)
            put(ways, ways->waiting++, next);
        ways->cost[next] = cost;
        ways->up[next] = ways->near[i];
        rise(ways, next);
    }
}

/* Dijkstra's way from ROOT to all; machines pass nothing on. */
static void find_ways(struct ways *ways, int root)
{
    ways->cost[root] = 0;
    put(ways, ways->waiting++, root);
    while (ways->waiting > 0) {
        int node = take_nearest(ways);
        ways->order[ways->reached++] = node;
        if (!ways->graph->node[node].machine)
            look_from(ways, node);
    }
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

/* Machines at or below each node, in HEAP_AT, which nobody needs any more. */
static int count_machines(struct ways *ways)
{
    const struct star_graph *graph = ways->graph;
    for (int i = 0; i < graph->nodes; i++)
        ways->heap_at[i] = graph->node[i].machine;
    for (int i = ways->reached - 1; i > 0; i--) {
        int node = ways->order[i];
        ways->heap_at[other_end(&graph->link[ways->up[node]], node)] += ways->heap_at[node];
    }
    return ways->heap_at[ways->order[0]];
}

static int check_switches(const struct ways *ways, struct star_why *why)
{
    const struct star_graph *graph = ways->graph;
    for (int i = 0; i < graph->nodes; i++)
        if (ways->heap_at[i] == 0)
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
static bool order_depth_first(struct ways *ways)
{
    const struct star_graph *graph = ways->graph;
    int *next = malloc((size_t)graph->nodes * sizeof *next), *first = ways->heap;
    if (next == NULL)
        return false;
    int root = ways->order[0];
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
    free(next);
    return true;
}

/* Those nodes that have machines. HEAP takes their new numbers. */
static bool fill(struct ways *ways, struct star_topology *topology)
{
    const struct star_graph *graph = ways->graph;
    topology->node = calloc((size_t)graph->nodes, sizeof *topology->node);
    topology->by_name = malloc((size_t)graph->nodes * sizeof *topology->by_name);
    if (topology->node == NULL || topology->by_name == NULL || !order_depth_first(ways))
        return false;
    for (int i = 0; i < ways->reached; i++) {
        int from = ways->order[i];
        const struct star_graph_link *up = i > 0 ? &graph->link[ways->up[from]] : NULL;
        if (ways->heap_at[from] == 0)
            continue;
        struct star_node *node = &topology->node[topology->nodes];
        *node = (struct star_node){.name = strdup(graph->node[from].name),
                                   .parent = up ? ways->heap[other_end(up, from)] : -1,
                                   .mbps = up ? mbps_of(up) : 0,
                                   .machine = graph->node[from].machine,
                                   .slots = graph->node[from].slots};
        if (node->name == NULL)
            return false;
        if (node->machine)
            topology->by_name[topology->machines++] = topology->nodes;
        topology->has_speeds = topology->has_speeds || (up && up->mbps > 0);
        ways->heap[from] = topology->nodes++;
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
    find_ways(ways, rules->root);
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
    int error = 0;
    if (graph->nodes == 0 || graph->node[rules->root].machine)
        return star_because(why, STAR_EINPUT, "%.150s: no switch in it", graph->file);
    if (rules->downward)
        error = star_graph_check_descent(graph, why);
    else if (!rules->spare_links)
        error = star_graph_check_cycles(graph, why);
    if (error)
        return error;
    if (ways_begin(&ways, graph))
        error = make(&ways, rules, topology, why);
    else
        error = star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    ways_free(&ways);
    return error;
}
