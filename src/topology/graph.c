/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/graph.h"
#include "util/grow.h"
#include "util/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void star_graph_free(struct star_graph *graph)
{
    for (int i = 0; i < graph->nodes; i++)
        free(graph->node[i].name);
    for (int i = 0; i < graph->keeps; i++)
        free(graph->kept[i]);
    free(graph->kept);
    free(graph->node);
    free(graph->link);
    star_names_free(&graph->names);
    *graph = (struct star_graph){0};
}

const char *star_graph_keep_file(struct star_graph *graph, const char *name)
{
    for (int i = 0; i < graph->keeps; i++)
        if (strcmp(graph->kept[i], name) == 0)
            return graph->kept[i];
    char **grown = star_grown(graph->kept, (size_t)graph->keeps, sizeof *grown), *copy = strdup(name);
    graph->kept = grown ? grown : graph->kept;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return NULL;
    }
    return graph->kept[graph->keeps++] = copy;
}

bool star_graph_name_is_good(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > STAR_NODE_NAME_MOST)
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c >= 0x80 || (!isalnum((unsigned char)*c) && strchr("._-:/+@", *c) == NULL))
            return false;
    return true;
}

static int check_name(const struct star_graph *graph, const char *name, int line, struct star_why *why)
{
    if (!star_graph_name_is_good(name))
        return star_because(why, STAR_EINPUT,
                            "%.150s:%d: '%.60s' is no name: letters, digits and ._-:/+@, at most %d of them",
                            graph->file, line, name, STAR_NODE_NAME_MOST);
    int there = star_names_get(&graph->names, name);
    if (there >= 0) {
        const struct star_graph_node *node = &graph->node[there];
        bool elsewhere = strcmp(node->file, graph->file) != 0;
        return star_because(why, STAR_EINPUT,
                            "%.100s:%d: '%.100s' is the name of a %s in line %d%s%.100s already", graph->file,
                            line, name, node->machine ? "host" : "switch", node->line,
                            elsewhere ? " of " : "", elsewhere ? node->file : "");
    }
    if (graph->nodes == STAR_NODES_MOST)
        return star_because(why, STAR_EINPUT, "%.150s:%d: more than %d switches and hosts", graph->file, line,
                            STAR_NODES_MOST);
    return 0;
}

/* The name is new, and good. */
static int add_unchecked(struct star_graph *graph, struct star_graph_node node, struct star_why *why)
{
    node.file = graph->file;
    node.name = strdup(node.name);
    struct star_graph_node *grown = star_grown(graph->node, (size_t)graph->nodes, sizeof node);
    graph->node = grown ? grown : graph->node;
    if (node.name == NULL || grown == NULL || !star_names_put(&graph->names, node.name, graph->nodes)) {
        free(node.name);
        return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    }
    graph->node[graph->nodes] = node;
    return graph->nodes++;
}

static int add(struct star_graph *graph, struct star_graph_node node, struct star_why *why)
{
    int error = check_name(graph, node.name, node.line, why);
    return error ? error : add_unchecked(graph, node, why);
}

int star_graph_add_top(struct star_graph *graph, struct star_why *why)
{
    return add_unchecked(graph, (struct star_graph_node){.name = "", .slots = 1}, why);
}

int star_graph_add_switch(struct star_graph *graph, const char *name, int line, struct star_why *why)
{
    return add(graph, (struct star_graph_node){.name = (char *)name, .slots = 1, .line = line}, why);
}

int star_graph_add_machine(struct star_graph *graph, const char *name, int slots, int line,
                           struct star_why *why)
{
    if (slots < 1 || slots > STAR_SLOTS_MOST)
        return star_because(why, STAR_EINPUT, "%.150s:%d: host '%.100s' of %d slots: from 1 to %d are good",
                            graph->file, line, name, slots, STAR_SLOTS_MOST);
    return add(graph,
               (struct star_graph_node){.name = (char *)name, .machine = true, .slots = slots, .line = line},
               why);
}

int star_graph_add_link(struct star_graph *graph, int from, int to, double mbps, int line,
                        struct star_why *why)
{
    if (graph->links == 4 * STAR_NODES_MOST)
        return star_because(why, STAR_EINPUT, "%.150s:%d: more than %d links", graph->file, line,
                            graph->links);
    struct star_graph_link *grown = star_grown(graph->link, (size_t)graph->links, sizeof *grown);
    if (grown == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d links", graph->links);
    graph->link = grown;
    graph->link[graph->links++] = (struct star_graph_link){from, to, mbps, graph->file, line};
    return 0;
}

static const char *nearest_switch(const struct star_graph *graph, const char *name)
{
    const char **names = malloc((size_t)(graph->nodes ? graph->nodes : 1) * sizeof *names);
    size_t count = 0;
    for (int i = 0; names != NULL && i < graph->nodes; i++)
        if (!graph->node[i].machine)
            names[count++] = graph->node[i].name;
    const char *nearest = names ? star_nearest(name, names, count) : NULL;
    free(names);
    return nearest;
}

int star_graph_find_switch(const struct star_graph *graph, const char *name, int line, struct star_why *why)
{
    int found = star_names_get(&graph->names, name);
    if (found >= 0 && !graph->node[found].machine)
        return found;
    if (found >= 0)
        return star_because(why, STAR_EINPUT, "%.150s:%d: '%.100s' is a host, not a switch", graph->file,
                            line, name);
    const char *nearest = nearest_switch(graph, name);
    return star_because(why, STAR_EINPUT, "%.150s:%d: unknown switch '%.80s'%s%.80s%s", graph->file, line,
                        name, nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}
