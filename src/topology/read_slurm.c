/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm's topology.conf(5): SwitchName=NAME [Switches=NAMES] [Nodes=NAMES] [LinkSpeed=NUMBER]. The speed is
 * that of the links to what the line lists; Slurm gives it no unit, here it is Mbit/s. */
#include "topology/reader.h"

#include <string.h>
#include <strings.h>

struct record {
    char *name, *switches, *nodes, *speed;
};

static int take_field(const struct star_source *source, struct record *record, char *word)
{
    const struct {
        const char *key;
        char **value;
    } fields[] = {{"SwitchName", &record->name},
                  {"Switches", &record->switches},
                  {"Nodes", &record->nodes},
                  {"LinkSpeed", &record->speed}};
    char *value = strchr(word, '=');
    if (value == NULL || value[1] == 0)
        return star_source_wrong(source, "'%.60s': KEY=VALUE is expected", word);
    *value++ = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcasecmp(word, fields[i].key) == 0) {
            *fields[i].value = value;
            return 0;
        }
    if (strcasecmp(word, "BlockName") == 0 || strcasecmp(word, "BlockSizes") == 0)
        return star_source_wrong(source, "%s: a block topology says nothing of switches", word);
    return star_source_wrong(source, "unknown key '%.60s': SwitchName, Switches, Nodes, LinkSpeed are known",
                             word);
}

static int take_record(struct star_source *source, char *rest, struct record *record)
{
    *record = (struct record){0};
    for (char *word; (word = star_word(&rest)) != NULL;) {
        int error = take_field(source, record, word);
        if (error)
            return error;
    }
    return record->name ? 0 : star_source_wrong(source, "a line without SwitchName=");
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
        error = star_source_machines(source, graph, at, record->nodes, mbps, 1);
    return error;
}

static bool knows(const char *line)
{
    return star_begins(line, "SwitchName=") || star_begins(line, "BlockName=") ||
           star_begins(line, "BlockSizes=");
}

static int read_slurm(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    int error = 0;
    source->joins = true;
    for (int second = 0; second <= 1 && !error; second++) {
        star_source_rewind(source);
        for (char *line; !error && (line = star_source_statement(source)) != NULL;) {
            struct record record;
            error = take_record(source, line, &record);
            if (!error)
                error = second ? attach(source, graph, &record)
                               : star_source_switches(source, graph, record.name);
        }
    }
    rules->root = star_graph_top(graph);
    rules->spare_switches = true; /* Slurm's own files list switches without nodes */
    return error;
}

const struct star_reader star_reader_slurm = {knows, read_slurm};
