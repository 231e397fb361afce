/* SPDX-License-Identifier: BSD-3-Clause
 * The output of ibnetdiscover(8). A section a switch or channel adapter, and in it a line a cable, which the
 * section of the other end has as well:
 *     Switch  36 "S-0002c9020046c588"        # "MF0;ib1:SX6036/U1" base port 0 lid 2 lmc 0
 *     [1]     "H-0002c90300293e1e"[1](2c90300293e1f)      # "n1 HCA-1" lid 6 4xQDR
 * Fabrics have many ways; the tree is that of least cost to the switch that is farthest from the hosts. */
#include "topology/devices.h"
#include "topology/islands.h"
#include "topology/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_ROOM = 40, SKIPPED = -1 };

struct fabric {
    struct star_source *source;
    struct star_graph *graph;
    struct star_devices devices;
    struct star_names cables; /* by their ends, so that each counts once */
    char id[ID_ROOM];         /* of the section; "": none yet */
    uint64_t board;           /* of the section to come */
};

static int out_of_memory(const struct fabric *fabric)
{
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

/* What a line of a cable, or the first one of a section, says. */
struct line {
    long port, peer_port;
    char id[ID_ROOM]; /* of the section, or of the cable's other end */
    char description[STAR_NODE_NAME_MOST + 1];
    const char *rest; /* what follows the description */
};

/* Neither a router nor what switches have inside for sums is a switch or host. */
static bool is_skipped(const struct line *line)
{
    return (line->id[0] != 'S' && line->id[0] != 'H') || strstr(line->description, "Aggregation Node");
}

static bool is_section(const char *text)
{
    static const char *const sections[] = {"Switch", "Ca", "Rt"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strncmp(text, sections[i], strlen(sections[i])) == 0 && strchr(text, '"') != NULL)
            return true;
    return false;
}

static int parse_section(struct fabric *fabric, const char *text, struct line *line)
{
    line->rest = text;
    if (!take_quoted(&line->rest, line->id, sizeof line->id) ||
        !take_quoted(&line->rest, line->description, sizeof line->description))
        return star_source_wrong(fabric->source, "a section begins with its \"NODE\" and # \"NAME\"");
    memcpy(fabric->id, line->id, sizeof fabric->id);
    return 0;
}

static int parse_cable(const struct fabric *fabric, const char *text, struct line *line)
{
    char *after;
    if (fabric->id[0] == 0)
        return star_source_wrong(fabric->source, "a port before the first Switch or Ca");
    line->port = strtol(text + 1, &after, 10);
    line->rest = text;
    bool good = *after == ']' && take_quoted(&line->rest, line->id, sizeof line->id) && line->rest[0] == '[';
    if (good)
        line->peer_port = strtol(line->rest + 1, &after, 10);
    if (!good || *after != ']' || !take_quoted(&line->rest, line->description, sizeof line->description))
        return star_source_wrong(fabric->source, "[PORT] \"NODE\"[PORT] # \"NAME\" … is expected");
    return 0;
}

/* The first time: which devices there are. */
static int list_device(struct fabric *fabric, const struct line *line, bool section)
{
    if (!is_skipped(line) && !star_devices_add(&fabric->devices, line->id, line->description))
        return out_of_memory(fabric);
    if (section) {
        star_devices_board(&fabric->devices, line->id, fabric->board);
        fabric->board = 0;
    }
    return 0;
}

/* The node of a device, which is made when it is new; SKIPPED: it is neither switch nor host. */
static int node_of(struct fabric *fabric, const char *id, int *node)
{
    struct star_source *source = fabric->source;
    struct star_graph *graph = fabric->graph;
    struct star_device *device = star_devices_find(&fabric->devices, id);
    *node = device ? device->node : SKIPPED;
    if (device == NULL || *node >= 0)
        return 0;
    const char *name = star_device_name(&fabric->devices, device);
    *node = star_names_get(&graph->names, name);
    bool is_rail = *node >= 0 && id[0] == 'H' && graph->node[*node].machine; /* a host's second adapter */
    if (!is_rail) {
        const char *free_name = *node < 0 ? name : id;
        *node = id[0] == 'S' ? star_graph_add_switch(graph, free_name, source->line, source->why)
                             : star_graph_add_machine(graph, free_name, 1, source->line, source->why);
        graph->by_id += *node >= 0 && id[0] == 'H' && strcmp(free_name, id) == 0;
    }
    device->node = *node;
    return *node < 0 ? *node : 0;
}

/* "4xEDR", the first such word: Mbit/s of data; 0: unknown. */
static double mbps_of(const char *text)
{
    static const struct {
        const char *name;
        double mbps; /* of a lane, without its encoding */
    } speeds[] = {{"SDR", 2e3},  {"DDR", 4e3},  {"QDR", 8e3}, {"FDR10", 1e4}, {"FDR", 13.64e3},
                  {"EDR", 25e3}, {"HDR", 50e3}, {"NDR", 1e5}, {"XDR", 2e5}};
    for (; *text; text += strcspn(text, " \t")) {
        text += strspn(text, " \t");
        char *speed;
        long lanes = strtol(text, &speed, 10);
        size_t length = strcspn(speed, " \t");
        if (lanes < 1 || lanes > 12 || *speed != 'x')
            continue;
        for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
            if (strlen(speeds[i].name) == length - 1 && strncmp(speed + 1, speeds[i].name, length - 1) == 0)
                return (double)lanes * speeds[i].mbps;
    }
    return 0;
}

/* Is the cable new? Both of its ends name it alike. */
static int note_cable(struct fabric *fabric, const char *end, const char *other, bool *new)
{
    char key[4 * ID_ROOM + 2];
    bool first = strcmp(end, other) < 0;
    snprintf(key, sizeof key, "%s %s", first ? end : other, first ? other : end);
    *new = star_names_get(&fabric->cables, key) < 0;
    if (!*new)
        return 0;
    char *copy = strdup(key);
    if (copy != NULL && star_names_put(&fabric->cables, copy, 0))
        return 0; /* NOLINT(clang-analyzer-unix.Malloc): the table has it now, and free_texts frees it */
    free(copy);
    return out_of_memory(fabric);
}

/* The second time: the cables. */
static int take_cable(struct fabric *fabric, const struct line *line)
{
    char end[2 * ID_ROOM], other[2 * ID_ROOM];
    bool new = false;
    int node, peer = SKIPPED, error = node_of(fabric, fabric->id, &node);
    if (!error && !is_skipped(line))
        error = node_of(fabric, line->id, &peer);
    if (error || node == SKIPPED || peer == SKIPPED)
        return error;
    snprintf(end, sizeof end, "%s[%ld]", fabric->id, line->port);
    snprintf(other, sizeof other, "%s[%ld]", line->id, line->peer_port);
    error = note_cable(fabric, end, other, &new);
    if (error || !new || node == peer)
        return error;
    return star_graph_add_link(fabric->graph, node, peer, mbps_of(line->rest), fabric->source->line,
                               fabric->source->why);
}

static int take_line(struct fabric *fabric, const char *text, bool second)
{
    static const char board[] = "sysimgguid=";
    struct line line = {0};
    int node, error = 0;
    if (text[0] == '[')
        error = parse_cable(fabric, text, &line);
    else if (is_section(text))
        error = parse_section(fabric, text, &line);
    else if (strncmp(text, board, strlen(board)) == 0)
        fabric->board = strtoull(text + strlen(board), NULL, 16);
    if (error || line.rest == NULL)
        return error;
    if (!second)
        return list_device(fabric, &line, text[0] != '[');
    return text[0] == '[' ? take_cable(fabric, &line) : node_of(fabric, line.id, &node);
}

static int take_lines(struct fabric *fabric, bool second)
{
    int error = 0;
    star_source_rewind(fabric->source);
    fabric->id[0] = 0;
    for (char *line; !error && (line = star_source_line(fabric->source)) != NULL;)
        error = take_line(fabric, line, second);
    return error;
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

/* The root is the switch farthest from the hosts. */
static int choose_root(struct star_graph *graph, struct star_graph_rules *rules, struct star_why *why)
{
    int *far = malloc(((size_t)graph->nodes + 1) * sizeof *far);
    if (far == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a topology of %d nodes", graph->nodes);
    measure(graph, far);
    int error = star_graph_join_islands(graph, far, true, rules, why);
    free(far);
    return error;
}

static bool knows(const char *line)
{
    static const char *const begins[] = {
        "vendid=0x", "sysimgguid=", "switchguid=", "caguid=", "Non-Chassis", "Chassis ", "ibwarn: ",
        "src/" /* what its library says of nodes that do not answer: "src/query_smp.c:196; umad …" */};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return strncmp(line, "Switch", 6) == 0 && strstr(line, "\"S-") != NULL;
}

static void free_texts(struct star_names *names)
{
    for (size_t i = 0; i < names->places; i++)
        free((char *)names->place[i].text);
    star_names_free(names);
}

static int read_fabric(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct fabric fabric = {.source = source, .graph = graph};
    int error = take_lines(&fabric, false);
    if (!error && !star_devices_compare(&fabric.devices))
        error = out_of_memory(&fabric);
    if (!error)
        error = take_lines(&fabric, true);
    star_devices_free(&fabric.devices);
    free_texts(&fabric.cables);
    rules->spare_links = rules->spare_switches = true;
    return error ? error : choose_root(graph, rules, source->why);
}

const struct star_reader star_reader_fabric = {knows, read_fabric};
