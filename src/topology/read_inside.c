/* SPDX-License-Identifier: BSD-3-Clause
 * hwloc's XML (`lstopo --of xml`): the inside of one machine. The machine, its packages and whatever several
 * cores share below them are switches; cores are the machines, with a slot for each of their threads. hwloc
 * knows no bandwidths, so all links are equal. Names are hwloc's: HOST/package:0, HOST/core:3. */
#include "topology/reader.h"

static bool knows(const char *line)
{
    return line[0] == '<';
}

#ifdef STARTUNE_HAS_HWLOC
#include <ctype.h>
#include <hwloc.h>
#include <stdio.h>

struct inside {
    struct star_source *source;
    struct star_graph *graph;
    hwloc_topology_t topology;
    const char *host;
};

static void name_of(const struct inside *inside, hwloc_obj_t object, char *name, size_t room)
{
    char type[64];
    hwloc_obj_type_snprintf(type, sizeof type, object, 0);
    for (char *c = type; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    snprintf(name, room, "%s/%s:%u", inside->host, type, object->logical_index);
}

static unsigned count_inside(const struct inside *inside, hwloc_obj_t object, hwloc_obj_type_t type)
{
    int count =
        object->cpuset ? hwloc_get_nbobjs_inside_cpuset_by_type(inside->topology, object->cpuset, type) : 0;
    return count > 0 ? (unsigned)count : 0;
}

/* Machines without a notion of cores have threads alone. */
static hwloc_obj_type_t leaf_type(const struct inside *inside)
{
    return hwloc_get_nbobjs_by_type(inside->topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

static int add_below(struct inside *inside, hwloc_obj_t object, int at);

/* hwloc's trees are a dozen levels deep: recursion is safe. */
static int add_object(struct inside *inside, hwloc_obj_t object, int at) /* NOLINT(misc-no-recursion) */
{
    char name[STAR_NODE_NAME_MOST + 1];
    int node = at;
    struct star_why *why = inside->source->why;
    hwloc_obj_type_t leaf = leaf_type(inside);
    name_of(inside, object, name, sizeof name);
    if (object->type == leaf) {
        unsigned threads = count_inside(inside, object, HWLOC_OBJ_PU);
        node = star_graph_add_machine(inside->graph, name, threads ? (int)threads : 1, 0, why);
    } else if (object->type == HWLOC_OBJ_PACKAGE || count_inside(inside, object, leaf) > 1) {
        node = star_graph_add_switch(inside->graph, name, 0, why);
    }
    int error = node < 0 ? node : 0;
    if (!error && node != at)
        error = star_graph_add_link(inside->graph, at, node, 0, 0, why);
    return error || object->type == leaf ? error : add_below(inside, object, node);
}

static int add_below(struct inside *inside, hwloc_obj_t object, int at) /* NOLINT(misc-no-recursion) */
{
    int error = 0;
    for (unsigned i = 0; i < object->arity && !error; i++)
        error = add_object(inside, object->children[i], at);
    return error;
}

static int read_loaded(struct inside *inside)
{
    hwloc_obj_t root = hwloc_get_root_obj(inside->topology);
    const char *host = hwloc_obj_get_info_by_name(root, "HostName");
    inside->host =
        host && strlen(host) < STAR_NODE_NAME_MOST / 2 && star_graph_name_is_good(host) ? host : "machine";
    int top = star_graph_add_switch(inside->graph, inside->host, 0, inside->source->why);
    return top < 0 ? top : add_below(inside, root, top);
}

static int read_inside(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct inside inside = {.source = source, .graph = graph};
    struct star_text ended = {0}; /* hwloc wants a 0 at the end, and its length to count it */
    star_text_append(&ended, source->bytes, source->length);
    if (ended.failed || hwloc_topology_init(&inside.topology)) {
        star_text_free(&ended);
        return star_because(source->why, STAR_EMEMORY, "out of memory for %.300s", source->name);
    }
    int error;
    if (hwloc_topology_set_xmlbuffer(inside.topology, ended.bytes, (int)ended.length + 1) ||
        hwloc_topology_load(inside.topology))
        error = star_because(source->why, STAR_EINPUT, "%.200s: XML that hwloc does not read", source->name);
    else
        error = read_loaded(&inside);
    hwloc_topology_destroy(inside.topology);
    star_text_free(&ended);
    rules->spare_switches = true; /* packages whose cores this XML leaves out */
    return error;
}

#else

static int read_inside(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    (void)graph, (void)rules;
    return star_because(source->why, STAR_EINPUT,
                        "%.200s: this part of startune is built without hwloc; `startune topo show` makes "
                        "text of its XML",
                        source->name);
}
#endif

const struct star_reader star_reader_inside = {knows, read_inside};
