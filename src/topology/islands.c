/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of a graph: what links between switches connect. A machine belongs to the island that its first
 * link leads to: a machine on two networks does not connect them, since it passes nothing on. */
#include "topology/islands.h"
#include "topology/leaders.h"
#include "util/scratch.h"

#include <stdlib.h>
#include <string.h>

struct islands {
    const struct star_graph *graph;
    int *leader; /* of each node: another one of its island; itself for one of them, which stands for all */
    int *root;   /* of those that stand for an island: its root, or −1 */
    int *seen;   /* the machine has a link; of those that stand for an island: it has machines */
};

static void connect(struct islands *islands)
{
    const struct star_graph *graph = islands->graph;
    for (int i = 0; i < graph->nodes; i++) {
        islands->leader[i] = i;
        islands->root[i] = -1;
    }
    for (int i = 0; i < graph->links; i++) {
        const struct star_graph_link *link = &graph->link[i];
        if (!graph->node[link->from].machine && !graph->node[link->to].machine)
            islands->leader[star_leader_of(islands->leader, link->from)] =
                star_leader_of(islands->leader, link->to);
    }
}

static void count_machines(struct islands *islands)
{
    const struct star_graph *graph = islands->graph;
    for (int i = 0; i < graph->links; i++) {
        const struct star_graph_link *link = &graph->link[i];
        bool up = graph->node[link->from].machine;
        int machine = up ? link->from : link->to, at = up ? link->to : link->from;
        if (graph->node[machine].machine && !islands->seen[machine]) {
            islands->leader[machine] = star_leader_of(islands->leader, at);
            islands->seen[machine] = true;
            islands->seen[islands->leader[machine]] = true;
        }
    }
}

static bool is_better(const struct star_graph *graph, const int *rank, bool by_name, int node, int than)
{
    if (than < 0 || (rank != NULL && rank[node] != rank[than]))
        return than < 0 || rank[node] > rank[than];
    return by_name && strcmp(graph->node[node].name, graph->node[than].name) < 0;
}

/* Finds the roots of all islands; returns how many have machines. *BEST is the best of all switches. */
static int choose_roots(struct islands *islands, const int *rank, bool by_name, int *best)
{
    const struct star_graph *graph = islands->graph;
    int count = 0;
    *best = -1;
    for (int i = 0; i < graph->nodes; i++) {
        if (graph->node[i].machine)
            continue;
        int leader = star_leader_of(islands->leader, i), *root = &islands->root[leader];
        count += *root < 0 && islands->seen[leader];
        if (is_better(graph, rank, by_name, i, *root))
            *root = i;
        if (islands->seen[leader] && is_better(graph, rank, by_name, i, *best))
            *best = i;
    }
    return count;
}

/* Numbers them, so that a machine stays on its own. */
static void number(struct star_graph *graph, const struct islands *islands)
{
    for (int i = 0; i < graph->nodes; i++)
        graph->node[i].island = 1 + star_leader_of(islands->leader, i);
}

static int join(struct star_graph *graph, const struct islands *islands, int nodes, int top,
                struct star_why *why)
{
    int error = 0;
    for (int i = 0; i < nodes && !error; i++)
        if (islands->leader[i] == i && islands->seen[i] && islands->root[i] >= 0)
            error = star_graph_add_link(graph, top, islands->root[i], 0, 0, why);
    return error;
}

int star_graph_join_islands(struct star_graph *graph, const int *rank, bool by_name,
                            struct star_graph_rules *rules, struct star_why *why)
{
    size_t nodes = (size_t)graph->nodes;
    struct star_scratch scratch = {0};
    struct islands islands = {.graph = graph,
                              .leader = star_scratch(&scratch, nodes, sizeof(int)),
                              .root = star_scratch(&scratch, nodes, sizeof(int)),
                              .seen = star_scratch(&scratch, nodes, sizeof(int))};
    int error = 0, count = 0, best = -1;
    if (!scratch.failed) {
        connect(&islands);
        count_machines(&islands);
        count = choose_roots(&islands, rank, by_name, &best);
    } else {
        error = star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    }
    if (best >= 0)
        rules->root = best;
    if (!error && count > 1) {
        rules->islands = count;
        number(graph, &islands);
        rules->root = star_graph_add_top(graph, why);
        error = rules->root < 0 ? rules->root : join(graph, &islands, (int)nodes, rules->root, why);
    }
    star_scratch_free(&scratch);
    return error;
}

int star_graph_join_trees(struct star_graph *graph, struct star_graph_rules *rules, struct star_why *why)
{
    int *rank = calloc((size_t)graph->nodes + 1, sizeof *rank);
    if (rank == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    for (int i = 0; i < graph->links; i++)
        rank[graph->link[i].to] = -1;
    int error = star_graph_join_islands(graph, rank, false, rules, why);
    free(rank);
    return error;
}
