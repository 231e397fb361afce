/* SPDX-License-Identifier: BSD-3-Clause
 * What is no tree, as links close a cycle. */
#include "topology/cycles.h"
#include "topology/leaders.h"
#include "util/scratch.h"

#include <stdlib.h>

static int out_of_memory(const struct star_graph *graph, struct star_why *why)
{
    return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
}

static int refuse(const struct star_graph *graph, int number, struct star_why *why)
{
    const struct star_graph_link *link = &graph->link[number];
    return star_because(why, STAR_EINPUT, "%.150s:%d: the link between '%.80s' and '%.80s' closes a cycle",
                        link->file, link->line, graph->node[link->from].name, graph->node[link->to].name);
}

int star_graph_check_cycles(const struct star_graph *graph, struct star_why *why)
{
    int error = 0, *leader = malloc((size_t)graph->nodes * sizeof *leader);
    if (leader == NULL)
        return out_of_memory(graph, why);
    for (int i = 0; i < graph->nodes; i++)
        leader[i] = i;
    for (int i = 0; i < graph->links && !error; i++) {
        int from = star_leader_of(leader, graph->link[i].from),
            to = star_leader_of(leader, graph->link[i].to);
        if (from == to)
            error = refuse(graph, i, why);
        leader[from] = to;
    }
    free(leader);
    return error;
}

struct descent {
    const struct star_graph *graph;
    int *above; /* of each node: links that lead to it */
    int *first; /* of each node: its first link down, −1: none */
    int *next;  /* of each link: the next one from the same node */
    int *top;   /* nodes that no link leads to any more */
};

static void list_links(struct descent *descent)
{
    const struct star_graph *graph = descent->graph;
    for (int i = 0; i < graph->nodes; i++)
        descent->first[i] = -1;
    for (int i = 0; i < graph->links; i++) {
        const struct star_graph_link *link = &graph->link[i];
        descent->next[i] = descent->first[link->from];
        descent->first[link->from] = i;
        descent->above[link->to]++;
    }
}

/* Takes away the nodes that none is above, again and again: what is left goes in circles, or hangs on one. */
static void take_tops(struct descent *descent)
{
    const struct star_graph *graph = descent->graph;
    int tops = 0;
    for (int i = 0; i < graph->nodes; i++)
        if (descent->above[i] == 0)
            descent->top[tops++] = i;
    while (tops > 0)
        for (int i = descent->first[descent->top[--tops]]; i >= 0; i = descent->next[i])
            if (--descent->above[graph->link[i].to] == 0)
                descent->top[tops++] = graph->link[i].to;
}

/* A link of a circle, or −1: up from any node that is left, as often as there are nodes, is in one. */
static int circular_link(struct descent *descent)
{
    const struct star_graph *graph = descent->graph;
    int at = -1, *up = descent->first;
    for (int i = 0; i < graph->links; i++)
        if (descent->above[graph->link[i].from] > 0 && descent->above[graph->link[i].to] > 0)
            up[at = graph->link[i].to] = i;
    for (int i = 0; at >= 0 && i < graph->nodes; i++)
        at = graph->link[up[at]].from;
    return at >= 0 ? up[at] : -1;
}

int star_graph_check_descent(const struct star_graph *graph, struct star_why *why)
{
    size_t nodes = (size_t)graph->nodes;
    struct star_scratch scratch = {0};
    struct descent descent = {.graph = graph,
                              .above = star_scratch(&scratch, nodes, sizeof(int)),
                              .first = star_scratch(&scratch, nodes, sizeof(int)),
                              .next = star_scratch(&scratch, (size_t)graph->links, sizeof(int)),
                              .top = star_scratch(&scratch, nodes, sizeof(int))};
    int error = 0, circular = -1;
    if (!scratch.failed) {
        list_links(&descent);
        take_tops(&descent);
        circular = circular_link(&descent);
    } else {
        error = out_of_memory(graph, why);
    }
    star_scratch_free(&scratch);
    return circular >= 0 ? refuse(graph, circular, why) : error;
}
