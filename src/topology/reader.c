/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/reader.h"
#include "topology/hostlist.h"
#include "util/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What a statement says of each name of its list. */
struct statement {
    const struct star_source *source;
    struct star_graph *graph;
    int at; /* the switch that the names are linked to */
    double mbps;
    int slots;
};

static int add_switch(const char *name, void *context)
{
    struct statement *statement = context;
    int node = star_graph_add_switch(statement->graph, name, statement->source->line, statement->source->why);
    return node < 0 ? node : 0;
}

static int link_to(struct statement *statement, int node)
{
    if (node < 0)
        return node;
    return star_graph_add_link(statement->graph, statement->at, node, statement->mbps,
                               statement->source->line, statement->source->why);
}

static int add_link(const char *name, void *context)
{
    struct statement *statement = context;
    return link_to(statement, star_graph_find_switch(statement->graph, name, statement->source->line,
                                                     statement->source->why));
}

static int add_machine(const char *name, void *context)
{
    struct statement *statement = context;
    return link_to(statement, star_graph_add_machine(statement->graph, name, statement->slots,
                                                     statement->source->line, statement->source->why));
}

static int add_node(const char *name, void *context)
{
    struct statement *statement = context;
    const struct star_graph *graph = statement->graph;
    int there = star_names_get(&graph->names, name);
    return there >= 0 && graph->node[there].machine ? link_to(statement, there) : add_machine(name, context);
}

/* Reasons of the list itself get file and line. */
static int each(struct statement *statement, const char *names, int (*take)(const char *name, void *context))
{
    struct star_why why = {{0}};
    int error = star_hostlist_each(names, take, statement, &why);
    return why.text[0] ? star_source_wrong(statement->source, "%.200s", why.text) : error;
}

int star_source_switches(struct star_source *source, struct star_graph *graph, const char *names)
{
    struct statement statement = {.source = source, .graph = graph};
    return each(&statement, names, add_switch);
}

int star_source_links(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps)
{
    struct statement statement = {.source = source, .graph = graph, .at = at, .mbps = mbps};
    return each(&statement, names, add_link);
}

int star_source_machines(struct star_source *source, struct star_graph *graph, int at, const char *names,
                         double mbps, int slots)
{
    struct statement statement = {source, graph, at, mbps, slots};
    return each(&statement, names, add_machine);
}

int star_source_nodes(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps)
{
    struct statement statement = {source, graph, at, mbps, 1};
    return each(&statement, names, add_node);
}

int star_source_mbps(const struct star_source *source, const char *word, double *mbps)
{
    static const struct {
        char unit;
        double scale;
    } units[] = {{'K', 1e-3}, {'M', 1}, {'G', 1e3}, {'T', 1e6}};
    static const double least = 0.01, most = 1e9;
    char number[64];
    size_t length = strlen(word);
    double scale = 1;
    for (size_t i = 0; length > 1 && i < sizeof units / sizeof *units; i++)
        if (toupper((unsigned char)word[length - 1]) == units[i].unit) {
            scale = units[i].scale;
            length--;
            break;
        }
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), word);
    if (strchr(number, '%') || !star_parse_number(number, mbps))
        return star_source_wrong(source, "'%.60s' is no bandwidth such as 100, 100M or 2.5G (Mbit/s)", word);
    *mbps *= scale;
    if (!(*mbps >= least && *mbps <= most))
        return star_source_wrong(source, "a bandwidth of '%.60s': from %g to %g Mbit/s are good", word, least,
                                 most);
    return 0;
}
