/* SPDX-License-Identifier: BSD-3-Clause
 * hwloc's XML (`lstopo --of xml`): the inside of one machine. The machine, its packages and whatever several
 * cores share below them are switches; cores are the machines, with a slot for each of their threads. It
 * knows no bandwidths, so all links are equal. Names are as hwloc's: HOST/package:0, HOST/core:3. Only tags
 * and their nesting are read here: hwloc itself may crash on XML that is damaged. */
#include "topology/readers.h"
#include "util/grow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OTHER = -1, PACKAGE, CORE, PU, KINDS = 10 };
static const char *const names[KINDS] = {"package", "core", "pu", "die", "group",
                                         "numa",    "l4",   "l3", "l2",  "cache"};

static enum kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        int kind;
    } types[] = {{"Package", PACKAGE}, {"Socket", PACKAGE}, {"Core", CORE},  {"PU", PU},
                 {"Die", 3},           {"Group", 4},        {"NUMANode", 5}, {"L4Cache", 6},
                 {"L3Cache", 7},       {"L2Cache", 8},      {"Cache", 9}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].type) == 0)
            return (enum kind)types[i].kind;
    return OTHER;
}

enum { VALUE_ROOM = STAR_NODE_NAME_MOST / 2 };

struct tag {
    char element[32];
    bool ends, closed;                          /* </object>; <object …/> */
    char type[32], name[32], value[VALUE_ROOM]; /* the attributes of these names */
};

struct inside {
    struct star_source *source;
    struct object {
        enum kind kind;
        int parent, line;
        int index;           /* among its kind */
        int leaves, threads; /* below */
        int node;            /* of the graph: its own, or that of the object above */
    } * object;
    int objects;
    int open; /* the innermost object whose end is to come; −1: none */
    int count[KINDS];
    char host[VALUE_ROOM];
};

/* Moves behind the next TEXT; false: there is none. */
static bool skip_to(struct star_source *source, const char *text)
{
    size_t length = strlen(text);
    for (; source->at + length <= source->length; source->at++) {
        if (memcmp(source->bytes + source->at, text, length) == 0) {
            source->at += length;
            return true;
        }
        source->line += source->bytes[source->at] == '\n';
    }
    source->at = source->length;
    return false;
}

static int peek(const struct star_source *source)
{
    return source->at < source->length ? (unsigned char)source->bytes[source->at] : -1;
}

static void skip_spaces(struct star_source *source)
{
    for (; isspace(peek(source)); source->at++)
        source->line += source->bytes[source->at] == '\n';
}

/* Letters and digits into WORD; what does not fit is cut off. */
static void take_word(struct star_source *source, char *word, size_t room)
{
    size_t length = 0;
    for (int c; isalnum(c = peek(source)) || c == '_' || c == '-' || c == ':'; source->at++)
        if (length + 1 < room)
            word[length++] = (char)c;
    word[length] = 0;
}

/* A quoted text into VALUE, or nowhere when that is NULL; one that does not fit is empty. */
static bool take_quoted(struct star_source *source, char *value, size_t room)
{
    char quote[] = {(char)peek(source), 0};
    if (quote[0] != '"' && quote[0] != '\'')
        return false;
    size_t from = ++source->at;
    if (!skip_to(source, quote))
        return false;
    size_t length = source->at - 1 - from;
    if (value != NULL)
        snprintf(value, room, "%.*s", length < room ? (int)length : 0, source->bytes + from);
    return true;
}

static bool take_attribute(struct star_source *source, struct tag *tag)
{
    char key[32];
    take_word(source, key, sizeof key);
    skip_spaces(source);
    if (key[0] == 0 || peek(source) != '=')
        return false;
    source->at++;
    skip_spaces(source);
    if (strcmp(key, "type") == 0)
        return take_quoted(source, tag->type, sizeof tag->type);
    if (strcmp(key, "name") == 0)
        return take_quoted(source, tag->name, sizeof tag->name);
    if (strcmp(key, "value") == 0)
        return take_quoted(source, tag->value, sizeof tag->value);
    return take_quoted(source, NULL, 0);
}

/* What follows a '<'. */
static int take_tag(struct star_source *source, struct tag *tag)
{
    *tag = (struct tag){0};
    tag->ends = peek(source) == '/';
    source->at += tag->ends;
    take_word(source, tag->element, sizeof tag->element);
    for (;;) {
        skip_spaces(source);
        if (peek(source) == '/') {
            tag->closed = true;
            source->at++;
        }
        if (peek(source) == '>') {
            source->at++;
            return 0;
        }
        if (tag->closed || !take_attribute(source, tag))
            return star_source_wrong(source, "this is no XML: in a tag '%s'", tag->element);
    }
}

static int add_object(struct inside *inside, const struct tag *tag)
{
    struct star_source *source = inside->source;
    if (inside->objects == STAR_NODES_MOST)
        return star_source_wrong(source, "more than %d objects", STAR_NODES_MOST);
    struct object *grown = star_grown(inside->object, (size_t)inside->objects, sizeof *grown);
    if (grown == NULL)
        return star_because(source->why, STAR_EMEMORY, "out of memory for %.300s", source->name);
    inside->object = grown;
    if (inside->open < 0 && inside->objects > 0)
        return star_source_wrong(source, "a second object beside the machine");
    struct object *object = &inside->object[inside->objects];
    *object = (struct object){.kind = kind_of(tag->type), .parent = inside->open, .line = source->line};
    if (object->kind != OTHER)
        object->index = inside->count[object->kind]++;
    if (!tag->closed)
        inside->open = inside->objects;
    inside->objects++;
    return 0;
}

static int use_tag(struct inside *inside, const struct tag *tag)
{
    bool object = strcmp(tag->element, "object") == 0;
    if (object && tag->ends && inside->open < 0)
        return star_source_wrong(inside->source, "the end of an object that did not begin");
    if (object && tag->ends)
        inside->open = inside->object[inside->open].parent;
    else if (object)
        return add_object(inside, tag);
    else if (strcmp(tag->element, "info") == 0 && strcmp(tag->name, "HostName") == 0 && inside->open == 0 &&
             star_graph_name_is_good(tag->value))
        memcpy(inside->host, tag->value, sizeof inside->host);
    return 0;
}

static int read_tags(struct inside *inside)
{
    struct star_source *source = inside->source;
    int error = 0;
    source->line = 1;
    while (!error && skip_to(source, "<")) {
        struct tag tag;
        bool comment = source->length - source->at >= 3 && memcmp(source->bytes + source->at, "!--", 3) == 0;
        if (peek(source) == '?' || peek(source) == '!') {
            skip_to(source, comment ? "-->" : ">");
            continue;
        }
        error = take_tag(source, &tag);
        if (!error)
            error = use_tag(inside, &tag);
    }
    if (!error && inside->objects == 0)
        error = star_source_wrong(source, "XML without an object of hwloc's");
    if (!error && inside->open >= 0)
        error = star_source_wrong(source, "the file ends within the object of line %d",
                                  inside->object[inside->open].line);
    return error;
}

/* Machines without a notion of cores have threads alone. */
static void count_below(struct inside *inside)
{
    enum kind leaf = inside->count[CORE] > 0 ? CORE : PU;
    for (int i = inside->objects - 1; i >= 0; i--) {
        struct object *object = &inside->object[i];
        object->threads += object->kind == PU;
        object->leaves += object->kind == leaf;
        if (object->parent >= 0) {
            inside->object[object->parent].threads += object->threads;
            inside->object[object->parent].leaves += object->leaves;
        }
    }
}

static int make_node(const struct inside *inside, struct star_graph *graph, const struct object *object)
{
    char name[STAR_NODE_NAME_MOST + 1];
    struct star_why *why = inside->source->why;
    enum kind leaf = inside->count[CORE] > 0 ? CORE : PU;
    int above = inside->object[object->parent].node;
    if (object->kind == OTHER || object->leaves == 0 ||
        (object->kind != leaf && object->kind != PACKAGE && object->leaves < 2))
        return above;
    snprintf(name, sizeof name, "%s/%s:%d", inside->host, names[object->kind], object->index);
    int slots = object->threads > 0 ? object->threads : 1;
    int node = object->kind == leaf ? star_graph_add_machine(graph, name, slots, object->line, why)
                                    : star_graph_add_switch(graph, name, object->line, why);
    int error = node < 0 ? node : star_graph_add_link(graph, above, node, 0, object->line, why);
    return error ? error : node;
}

static int read_inside(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct inside inside = {.source = source, .open = -1, .host = "machine"};
    (void)rules; /* the machine is the root, and every switch has cores */
    int error = read_tags(&inside);
    if (!error) {
        count_below(&inside);
        int root = star_graph_add_switch(graph, inside.host, inside.object[0].line, source->why);
        inside.object[0].node = root;
        error = root < 0 ? root : 0;
    }
    for (int i = 1; i < inside.objects && !error; i++) {
        inside.object[i].node = make_node(&inside, graph, &inside.object[i]);
        error = inside.object[i].node < 0 ? inside.object[i].node : 0;
    }
    free(inside.object);
    return error;
}

static bool knows(const char *line)
{
    return line[0] == '<';
}

const struct star_reader star_reader_inside = {knows, read_inside};
