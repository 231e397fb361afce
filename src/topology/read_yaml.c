/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm's topology.yaml(5): a list of topologies. The one that is the cluster's default counts, or the first
 * that is a tree. */
#include "topology/islands.h"
#include "topology/readers.h"

static bool knows(const char *line)
{
    return line[0] == '-' || line[0] == '%' || star_begins(line, "topology:");
}

#ifdef STARTUNE_HAS_YAML
#include <string.h>
#include <strings.h>
#include <yaml.h>

static int wrong_at(struct star_source *source, const yaml_node_t *node, const char *what)
{
    source->line = (int)node->start_mark.line + 1;
    return star_source_wrong(source, "%s", what);
}

static const char *text_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* The value of KEY in MAP, or NULL. */
static yaml_node_t *value_of(yaml_document_t *document, const yaml_node_t *map, const char *key)
{
    if (map == NULL || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *name = text_of(yaml_document_get_node(document, pair->key));
        if (name != NULL && strcmp(name, key) == 0)
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

/* The list of switches of the topology that counts. */
static yaml_node_t *find_switches(yaml_document_t *document, const yaml_node_t *list)
{
    yaml_node_t *found = NULL;
    if (list == NULL || list->type != YAML_SEQUENCE_NODE)
        return NULL;
    for (yaml_node_item_t *item = list->data.sequence.items.start; item < list->data.sequence.items.top;
         item++) {
        const yaml_node_t *topology = yaml_document_get_node(document, *item);
        yaml_node_t *switches = value_of(document, value_of(document, topology, "tree"), "switches");
        const char *preset = text_of(value_of(document, topology, "cluster_default"));
        bool is_default = preset != NULL && strcasecmp(preset, "true") == 0;
        if (switches != NULL && switches->type == YAML_SEQUENCE_NODE && (found == NULL || is_default))
            found = switches;
        if (found != NULL && is_default)
            break;
    }
    return found;
}

static int add_switch(struct star_source *source, struct star_graph *graph, yaml_document_t *document,
                      const yaml_node_t *entry)
{
    const char *name = text_of(value_of(document, entry, "switch"));
    if (name == NULL)
        return wrong_at(source, entry, "an entry of switches without 'switch: NAME'");
    source->line = (int)entry->start_mark.line + 1;
    return star_source_switches(source, graph, name);
}

static int attach(struct star_source *source, struct star_graph *graph, yaml_document_t *document,
                  const yaml_node_t *entry)
{
    const yaml_node_t *children = value_of(document, entry, "children");
    const yaml_node_t *nodes = value_of(document, entry, "nodes");
    if ((children && !text_of(children)) || (nodes && !text_of(nodes)))
        return wrong_at(source, entry, "children and nodes are lists such as n[0-7]");
    source->line = (int)entry->start_mark.line + 1;
    int at = star_graph_find_switch(graph, text_of(value_of(document, entry, "switch")), source->line,
                                    source->why);
    int error = at < 0 ? at : 0;
    if (!error && children)
        error = star_source_links(source, graph, at, text_of(children), 0);
    if (!error && nodes)
        error = star_source_nodes(source, graph, at, text_of(nodes), 0);
    return error;
}

static int read_document(struct star_source *source, struct star_graph *graph, yaml_document_t *document)
{
    const yaml_node_t *root = yaml_document_get_root_node(document);
    const yaml_node_t *list = find_switches(document, root);
    if (list == NULL) {
        source->line = 1;
        return star_source_wrong(source, "no topology with a tree and its switches in it");
    }
    int error = 0;
    for (int second = 0; second <= 1; second++)
        for (yaml_node_item_t *item = list->data.sequence.items.start;
             !error && item < list->data.sequence.items.top; item++) {
            const yaml_node_t *entry = yaml_document_get_node(document, *item);
            error =
                second ? attach(source, graph, document, entry) : add_switch(source, graph, document, entry);
        }
    return error;
}

static int begin(struct star_source *source, yaml_parser_t *parser)
{
    if (!yaml_parser_initialize(parser))
        return star_because(source->why, STAR_EMEMORY, "out of memory for %.300s", source->name);
    yaml_parser_set_input_string(parser, (const unsigned char *)source->bytes, source->length);
    return 0;
}

static int no_yaml(struct star_source *source, const yaml_parser_t *parser)
{
    source->line = (int)parser->problem_mark.line + 1;
    return star_source_wrong(source, "%.200s", parser->problem ? parser->problem : "this is no YAML");
}

/* libyaml compares each %TAG with all others. */
static int check_directives(struct star_source *source)
{
    enum { MOST = 8 };
    int count = 0;
    star_source_rewind(source);
    for (const char *line; (line = star_source_line(source)) != NULL;)
        if (line[0] == '%' && ++count > MOST)
            return star_source_wrong(source, "more than %d lines that begin with %%", MOST);
    return 0;
}

/* libyaml takes time that grows with the square of how deep things are nested, and of how many have names. */
static int check_event(struct star_source *source, const yaml_event_t *event, int *depth)
{
    enum { MOST = 64 };
    const yaml_char_t *anchor = event->type == YAML_ALIAS_EVENT            ? event->data.alias.anchor
                                : event->type == YAML_SCALAR_EVENT         ? event->data.scalar.anchor
                                : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
                                : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                                           : NULL;
    *depth += event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    *depth -= event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
    source->line = (int)event->start_mark.line + 1;
    if (anchor != NULL)
        return star_source_wrong(source, "%c%.60s: a topology needs neither anchors nor aliases",
                                 event->type == YAML_ALIAS_EVENT ? '*' : '&', (const char *)anchor);
    return *depth > MOST ? star_source_wrong(source, "nested more than %d deep", MOST) : 0;
}

/* Would reading it as a whole take time in proportion to its length? Takes so itself. */
static int check_shape(struct star_source *source)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0, error = check_directives(source);
    if (!error)
        error = begin(source, &parser);
    if (error)
        return error;
    for (bool ends = false; !error && !ends;) {
        if (yaml_parser_parse(&parser, &event)) {
            ends = event.type == YAML_STREAM_END_EVENT;
            error = check_event(source, &event, &depth);
            yaml_event_delete(&event);
        } else {
            error = no_yaml(source, &parser);
        }
    }
    yaml_parser_delete(&parser);
    return error;
}

static int read_yaml(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    yaml_parser_t parser;
    yaml_document_t document;
    int error = check_shape(source);
    if (!error)
        error = begin(source, &parser);
    if (error)
        return error;
    if (yaml_parser_load(&parser, &document)) {
        error = read_document(source, graph, &document);
        yaml_document_delete(&document);
    } else {
        error = no_yaml(source, &parser);
    }
    yaml_parser_delete(&parser);
    rules->spare_links = rules->downward = rules->spare_switches = true; /* as in topology.conf */
    return error ? error : star_graph_join_trees(graph, rules, source->why);
}

#else

static int read_yaml(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    (void)graph, (void)rules;
    return star_because(source->why, STAR_EINPUT,
                        "%.200s: this part of startune is built without libyaml; `startune topo show` makes "
                        "text of a topology.yaml",
                        source->name);
}
#endif

const struct star_reader star_reader_yaml = {knows, read_yaml};
