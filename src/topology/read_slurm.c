/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm's topology.conf(5): SwitchName=NAME [Switches=NAMES] [Nodes=NAMES] [LinkSpeed=NUMBER], and include
 * FILE. The speed is that of the links to what the line lists; Slurm gives it no unit, here it is Mbit/s. As
 * in Slurm, there may be several trees, switches may have two above them, and nodes hang on two. */
#include "topology/islands.h"
#include "topology/readers.h"
#include "util/file.h"
#include "util/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Of files within files, and in all. */
enum { DEPTH_MOST = 8, INCLUDES_MOST = 1000 };

struct record {
    char *name, *switches, *nodes, *speed;
};

/* The files of one reading, of which each may include others. */
struct reading {
    struct star_graph *graph;
    const char *top; /* the first file */
    int includes;
    int (*visit)(struct star_source *source, struct star_graph *graph, const struct record *record);
};

static char *skip_spaces(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Cuts KEY=VALUE, KEY = VALUE or KEY="VALUE" off *REST. NULL: there is none; *VALUE is NULL where it is
 * missing. */
static char *take_pair(char **rest, char **value)
{
    char *key = skip_spaces(*rest), *end = key;
    while (*end && *end != '=' && !isspace((unsigned char)*end))
        end++;
    char *equals = skip_spaces(end), *from = *equals == '=' ? skip_spaces(equals + 1) : equals;
    bool quoted = *from == '"' && strchr(from + 1, '"') != NULL;
    char *to = from + quoted;
    while (*to && (quoted ? *to != '"' : !isspace((unsigned char)*to)))
        to++;
    *value = *equals == '=' && to > from + quoted ? from + quoted : NULL;
    *rest = *to ? to + 1 : to;
    *to = 0;
    *end = 0;
    return *key || *value ? key : NULL;
}

/* The keys of Slurm's other topologies. */
static const char *other_kind(const char *key)
{
    static const char *const keys[][2] = {
        {"BlockName", "block"}, {"BlockSizes", "block"}, {"RingName", "ring"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(key, keys[i][0]) == 0)
            return keys[i][1];
    return NULL;
}

static int take_field(const struct star_source *source, struct record *record, const char *key, char *value)
{
    static const char *const keys[] = {"SwitchName", "Switches", "Nodes", "LinkSpeed"};
    char **const fields[] = {&record->name, &record->switches, &record->nodes, &record->speed};
    const char *kind = other_kind(key);
    if (kind != NULL)
        return star_source_wrong(source, "%.60s: a %s topology says nothing of switches", key, kind);
    if (value == NULL)
        return star_source_wrong(source, "'%.60s': KEY=VALUE is expected", key);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(key, keys[i]) == 0) {
            *fields[i] = value;
            return 0;
        }
    return star_source_wrong(source,
                             "unknown key '%.60s'%s; SwitchName, Switches, Nodes, LinkSpeed are known", key,
                             star_hint(key, keys, sizeof keys / sizeof *keys).text);
}

static int take_record(struct star_source *source, char *rest, struct record *record)
{
    *record = (struct record){0};
    for (char *key, *value; (key = take_pair(&rest, &value)) != NULL;) {
        int error = take_field(source, record, key, value);
        if (error)
            return error;
    }
    return record->name ? 0 : star_source_wrong(source, "a line without SwitchName=");
}

static int declare(struct star_source *source, struct star_graph *graph, const struct record *record)
{
    return star_source_switches(source, graph, record->name);
}

static int attach(struct star_source *source, struct star_graph *graph, const struct record *record)
{
    double mbps = 0;
    int at = star_graph_find_switch(graph, record->name, source->line, source->why);
    int error = at < 0 ? at : 0;
    if (!error && record->speed)
        error = star_source_mbps(source, record->speed, &mbps);
    if (!error && record->switches)
        error = star_source_links(source, graph, at, record->switches, mbps);
    if (!error && record->nodes)
        error = star_source_nodes(source, graph, at, record->nodes, mbps);
    return error;
}

/* The file's name behind "include"; NULL: LINE is another one. */
static char *included(char *line)
{
    static const char word[] = "include";
    size_t length = strlen(word);
    if (!star_begins(line, word) || !isspace((unsigned char)line[length]))
        return NULL;
    char *rest = line + length;
    return star_word(&rest);
}

static int read_records(struct star_source *source, struct reading *reading, int depth);

/* Reads FILE, which Slurm looks for beside the first one. */
static int include(const struct star_source *source, const char *file, struct reading *reading, int depth)
{
    char path[4096];
    struct stat kind;
    const char *slash = file[0] == '/' ? NULL : strrchr(reading->top, '/');
    int beside = slash ? (int)(slash + 1 - reading->top) : 0;
    int length = snprintf(path, sizeof path, "%.*s%s", beside, reading->top, file);
    if (depth == DEPTH_MOST || reading->includes++ == INCLUDES_MOST)
        return star_source_wrong(source, "include: more than %d files, or %d within each other",
                                 INCLUDES_MOST, DEPTH_MOST);
    if ((size_t)length >= sizeof path || (stat(path, &kind) == 0 && !S_ISREG(kind.st_mode)))
        return star_source_wrong(source, "include: %.150s is no file", file);
    struct star_text text = {0};
    struct star_why because;
    int error = star_file_read(path, &text, &because);
    if (error && error != STAR_EMEMORY)
        error = star_source_wrong(source, "include: %.250s", because.text);
    const char *name = star_graph_keep_file(reading->graph, path), *outer = reading->graph->file;
    if (!error && name == NULL)
        error = star_because(source->why, STAR_EMEMORY, "out of memory for %.300s", path);
    if (!error)
        error = star_file_is_text(text.bytes ? text.bytes : "", text.length, name, source->why);
    struct star_source inner = {
        .name = name, .bytes = text.bytes, .length = text.length, .joins = true, .why = source->why};
    if (!error) {
        reading->graph->file = name;
        error = star_source_end(&inner, read_records(&inner, reading, depth + 1));
        reading->graph->file = outer;
    }
    star_text_free(&text);
    return error;
}

static int read_records(struct star_source *source, struct reading *reading, int depth)
{
    int error = 0;
    for (char *line; !error && (line = star_source_statement(source)) != NULL;) {
        struct record record;
        char *file = included(line);
        error = file ? include(source, file, reading, depth) : take_record(source, line, &record);
        if (!error && file == NULL)
            error = reading->visit(source, reading->graph, &record);
    }
    return error;
}

static bool knows(const char *line)
{
    char begin[64], *rest = begin, *value;
    snprintf(begin, sizeof begin, "%s", line);
    if (included(begin) != NULL)
        return true;
    snprintf(begin, sizeof begin, "%s", line);
    const char *key = take_pair(&rest, &value);
    return key != NULL && value != NULL && (strcasecmp(key, "SwitchName") == 0 || other_kind(key) != NULL);
}

static int read_slurm(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct reading reading = {.graph = graph, .top = source->name, .visit = declare};
    source->joins = true;
    int error = read_records(source, &reading, 0);
    star_source_rewind(source);
    reading = (struct reading){.graph = graph, .top = source->name, .visit = attach};
    if (!error)
        error = read_records(source, &reading, 0);
    rules->spare_links = rules->downward = true;
    rules->spare_switches = true; /* Slurm's own files list switches without nodes */
    return error ? error : star_graph_join_trees(graph, rules, source->why);
}

const struct star_reader star_reader_slurm = {knows, read_slurm};
