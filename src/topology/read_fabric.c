/* SPDX-License-Identifier: BSD-3-Clause
 * The output of ibnetdiscover(8). A section a switch or channel adapter, and in it a line a cable, which the
 * section of the other end has as well:
 *     Switch  36 "S-0002c9020046c588"        # "MF0;ib1:SX6036/U1" base port 0 lid 2 lmc 0
 *     [1]     "H-0002c90300293e1e"[1](2c90300293e1f)      # "n1 HCA-1" lid 6 4xQDR
 * Fabrics have many ways; the tree is that of least cost to the switch that is farthest from the hosts. */
#include "topology/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_ROOM = 40, SKIPPED = -1 };

struct fabric {
    struct star_source *source;
    struct star_graph *graph;
    struct star_names ids;    /* "S-…", "H-…": nodes of the graph; SKIPPED is not among them */
    struct star_names cables; /* by their ends, so that each counts once */
};

static void free_texts(struct star_names *names)
{
    for (size_t i = 0; i < names->places; i++)
        free((char *)names->place[i].text);
    star_names_free(names);
}

static int put(struct fabric *fabric, struct star_names *names, const char *text, int number)
{
    char *copy = strdup(text);
    if (copy != NULL && star_names_put(names, copy, number))
        return 0; /* NOLINT(clang-analyzer-unix.Malloc): the table has it now, and free_texts frees it */
    free(copy);
    return star_because(fabric->source->why, STAR_EMEMORY, "out of memory for %.300s", fabric->source->name);
}

/* The text between the next quotes of *REST, which moves behind them; NULL: none. Long ones are cut off. */
static const char *take_quoted(const char **rest, char *text, size_t room)
{
    const char *begin = strchr(*rest, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (end == NULL)
        return NULL;
    snprintf(text, room, "%.*s", (int)(end - begin - 1 < (long)room ? end - begin - 1 : (long)room - 1),
             begin + 1);
    *rest = end + 1;
    return text;
}

/* What people call a node: a switch's description without its prefix, a host's name without that of its
 * adapter. The makers' descriptions, which many share, have more words: then the id has to do. */
static void choose_name(const char *id, const char *description, char *name, size_t room)
{
    static const char managed[] = "MF0;";
    bool is_switch = id[0] == 'S';
    if (strncmp(description, managed, strlen(managed)) == 0)
        description += strlen(managed);
    size_t first = strcspn(description, " ");
    const char *second = description + first + strspn(description + first, " ");
    bool good = *second == 0 || (!is_switch && strchr(second, ' ') == NULL);
    snprintf(name, room, "%.*s", (int)first, description);
    if (!good || !star_graph_name_is_good(name))
        snprintf(name, room, "%s", id);
}

/* The node of ID, which is made when it is new; SKIPPED: it is neither switch nor host. */
static int node_of(struct fabric *fabric, const char *id, const char *description, int *node)
{
    char name[STAR_NODE_NAME_MOST + 1];
    struct star_source *source = fabric->source;
    struct star_graph *graph = fabric->graph;
    *node = star_names_get(&fabric->ids, id);
    if (*node >= 0 || (id[0] != 'S' && id[0] != 'H') || strstr(description, "Aggregation Node"))
        return 0;
    choose_name(id, description, name, sizeof name);
    *node = star_names_get(&graph->names, name);
    bool is_rail = *node >= 0 && id[0] == 'H' && graph->node[*node].machine; /* a host's second adapter */
    if (!is_rail) {
        const char *free_name = *node < 0 ? name : id;
        *node = id[0] == 'S' ? star_graph_add_switch(graph, free_name, source->line, source->why)
                             : star_graph_add_machine(graph, free_name, 1, source->line, source->why);
    }
    return *node < 0 ? *node : put(fabric, &fabric->ids, id, *node);
}

/* "4xEDR": Mbit/s of data; 0: unknown. */
static double mbps_of(const char *text)
{
    static const struct {
        const char *name;
        double mbps; /* of a lane, without its encoding */
    } speeds[] = {{"SDR", 2e3},  {"DDR", 4e3},  {"QDR", 8e3}, {"FDR10", 1e4}, {"FDR", 13.64e3},
                  {"EDR", 25e3}, {"HDR", 50e3}, {"NDR", 1e5}, {"XDR", 2e5}};
    const char *last = strrchr(text, ' ');
    char *speed;
    long lanes = strtol(last ? last + 1 : text, &speed, 10);
    if (lanes < 1 || lanes > 12 || *speed != 'x')
        return 0;
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (strcmp(speed + 1, speeds[i].name) == 0)
            return (double)lanes * speeds[i].mbps;
    return 0;
}

/* Is the cable new? Both of its ends name it alike. */
static int note_cable(struct fabric *fabric, const char *end, const char *other, bool *new)
{
    char key[4 * ID_ROOM];
    bool first = strcmp(end, other) < 0;
    snprintf(key, sizeof key, "%s %s", first ? end : other, first ? other : end);
    *new = star_names_get(&fabric->cables, key) < 0;
    return *new ? put(fabric, &fabric->cables, key, 0) : 0;
}

static int take_cable(struct fabric *fabric, const char *line, const char *id, int node)
{
    char peer[ID_ROOM], description[STAR_NODE_NAME_MOST + 1], end[2 * ID_ROOM], other[2 * ID_ROOM];
    const char *rest = line;
    bool new;
    char *after;
    long port = strtol(line + 1, &after, 10), peer_port = 0;
    bool good = *after == ']' && take_quoted(&rest, peer, sizeof peer) && rest[0] == '[';
    if (good)
        peer_port = strtol(rest + 1, &after, 10);
    if (!good || *after != ']' || !take_quoted(&rest, description, sizeof description))
        return star_source_wrong(fabric->source, "[PORT] \"NODE\"[PORT] # \"NAME\" … is expected");
    int peer_node, error = node_of(fabric, peer, description, &peer_node);
    if (error || node == SKIPPED || peer_node == SKIPPED)
        return error;
    snprintf(end, sizeof end, "%s[%ld]", id, port);
    snprintf(other, sizeof other, "%s[%ld]", peer, peer_port);
    error = note_cable(fabric, end, other, &new);
    if (error || !new || node == peer_node)
        return error;
    return star_graph_add_link(fabric->graph, node, peer_node, mbps_of(rest), fabric->source->line,
                               fabric->source->why);
}

static int take_section(struct fabric *fabric, const char *line, char *id, int *node)
{
    char description[STAR_NODE_NAME_MOST + 1];
    if (!take_quoted(&line, id, ID_ROOM) || !take_quoted(&line, description, sizeof description))
        return star_source_wrong(fabric->source, "a section begins with its \"NODE\" and # \"NAME\"");
    return node_of(fabric, id, description, node);
}

static int take_line(struct fabric *fabric, const char *line, char *id, int *node)
{
    static const char *const sections[] = {"Switch", "Ca", "Rt"};
    if (line[0] == '[' && id[0] == 0)
        return star_source_wrong(fabric->source, "a port before the first Switch or Ca");
    if (line[0] == '[')
        return take_cable(fabric, line, id, *node);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strncmp(line, sections[i], strlen(sections[i])) == 0 && strchr(line, '"') != NULL)
            return take_section(fabric, line, id, node);
    return 0;
}

/* Links from the nearest host to each node, by rounds over all links, as many as a fabric may be deep. */
static void measure(const struct star_graph *graph, int *far)
{
    enum { DEEP = 64 };
    for (int i = 0; i < graph->nodes; i++)
        far[i] = graph->node[i].machine ? 0 : DEEP;
    bool nearer = true;
    for (int round = 0; round < DEEP && nearer; round++) {
        nearer = false;
        for (int i = 0; i < graph->links; i++) {
            int *from = &far[graph->link[i].from], *to = &far[graph->link[i].to];
            int *greater = *from > *to ? from : to, next = (*from > *to ? *to : *from) + 1;
            nearer = nearer || *greater > next;
            *greater = *greater > next ? next : *greater;
        }
    }
    for (int i = 0; i < graph->nodes; i++)
        far[i] = graph->node[i].machine || far[i] == DEEP ? -1 : far[i]; /* no root of a tree */
}

static int farthest_switch(const struct star_graph *graph)
{
    int *far = malloc(((size_t)graph->nodes + 1) * sizeof *far), found = 0;
    if (far == NULL)
        return 0;
    measure(graph, far);
    for (int i = 1; i < graph->nodes; i++)
        if (far[i] > far[found] ||
            (far[i] == far[found] && strcmp(graph->node[i].name, graph->node[found].name) < 0))
            found = i;
    free(far);
    return found;
}

static bool knows(const char *line)
{
    static const char *const begins[] = {"vendid=0x", "switchguid=", "caguid=", "Non-Chassis", "Chassis "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return strncmp(line, "Switch", 6) == 0 && strstr(line, "\"S-") != NULL;
}

static int read_fabric(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct fabric fabric = {.source = source, .graph = graph};
    char id[ID_ROOM] = "";
    int error = 0, node = SKIPPED;
    for (char *line; !error && (line = star_source_line(source)) != NULL;)
        error = take_line(&fabric, line, id, &node);
    free_texts(&fabric.ids);
    free_texts(&fabric.cables);
    if (!error)
        rules->root = farthest_switch(graph);
    rules->spare_links = rules->spare_switches = true;
    return error;
}

const struct star_reader star_reader_fabric = {knows, read_fabric};
