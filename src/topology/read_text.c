/* SPDX-License-Identifier: BSD-3-Clause
 * Our own text format: a statement a line.
 *     switch NAMES
 *     link SWITCH SWITCHES [MBPS]
 *     host NAMES SWITCH [MBPS] [slots=N]
 *     spanning-tree
 * They may stand in any order; the switch that is named first is the root. */
#include "topology/reader.h"
#include "util/parse.h"

#include <string.h>

/* What a statement says of each name of its list. */
struct statement {
    struct star_source *source;
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
    int line = statement->source->line;
    return link_to(statement, star_graph_find_switch(statement->graph, name, line, statement->source->why));
}

static int add_host(const char *name, void *context)
{
    struct statement *statement = context;
    int line = statement->source->line;
    return link_to(statement, star_graph_add_machine(statement->graph, name, statement->slots, line,
                                                     statement->source->why));
}

static int take_slots(struct statement *statement, const char *word)
{
    int64_t slots;
    if (!star_parse_integer(word, &slots) || slots < 1 || slots > STAR_SLOTS_MOST)
        return star_source_wrong(statement->source, "slots=%.60s: a whole number from 1 to %d is good", word,
                                 STAR_SLOTS_MOST);
    statement->slots = (int)slots;
    return 0;
}

/* What may follow the names: a bandwidth, and slots of hosts. */
static int take_more(struct statement *statement, char *rest, bool host)
{
    static const char slots[] = "slots=";
    statement->mbps = 0;
    statement->slots = 1;
    for (char *word; (word = star_word(&rest)) != NULL;) {
        int error;
        if (host && strncmp(word, slots, strlen(slots)) == 0)
            error = take_slots(statement, word + strlen(slots));
        else if (statement->mbps == 0)
            error = star_source_mbps(statement->source, word, &statement->mbps);
        else
            error = star_source_wrong(statement->source, "'%.60s' is too much", word);
        if (error)
            return error;
    }
    return 0;
}

static int take_switch(struct statement *statement, char *rest)
{
    char *names = star_word(&rest), *more = star_word(&rest);
    if (names == NULL || more != NULL)
        return star_source_wrong(statement->source, "a switch has a name and nothing else: switch NAME");
    return star_source_names(statement->source, names, add_switch, statement);
}

/* The words are cut first, in the order in which they stand. */
static int take_attached(struct statement *statement, char *rest, bool host)
{
    char *first = star_word(&rest), *second = star_word(&rest);
    if (second == NULL)
        return star_source_wrong(statement->source,
                                 host ? "a host needs a switch: host NAME SWITCH [MBPS] [slots=N]"
                                      : "a link has two ends: link SWITCH SWITCH [MBPS]");
    int error = take_more(statement, rest, host);
    if (error)
        return error;
    statement->at = star_graph_find_switch(statement->graph, host ? second : first, statement->source->line,
                                           statement->source->why);
    if (statement->at < 0)
        return statement->at;
    return star_source_names(statement->source, host ? first : second, host ? add_host : add_link, statement);
}

static int take_unknown(const struct star_source *source, const char *word)
{
    static const char *const words[] = {"switch", "link", "host", "spanning-tree"};
    const char *nearest = star_nearest(word, words, sizeof words / sizeof *words);
    return star_source_wrong(source, "unknown word '%.60s': %s%s%s", word, nearest ? "did you mean '" : "",
                             nearest ? nearest : "switch, link, host and spanning-tree are known",
                             nearest ? "'?" : "");
}

/* Switches alone the first time, then what hangs on them: so they may be named before they are declared. */
static int read_statements(struct statement *statement, bool switches, bool *spanning_tree)
{
    int error = 0;
    star_source_rewind(statement->source);
    for (char *rest; !error && (rest = star_source_statement(statement->source)) != NULL;) {
        char *word = star_word(&rest);
        if (strcmp(word, "switch") == 0)
            error = switches ? take_switch(statement, rest) : 0;
        else if (strcmp(word, "spanning-tree") == 0)
            *spanning_tree = true;
        else if (strcmp(word, "link") && strcmp(word, "host"))
            error = take_unknown(statement->source, word);
        else if (!switches)
            error = take_attached(statement, rest, word[0] == 'h');
    }
    return error;
}

static bool knows(const char *line)
{
    (void)line;
    return true;
}

static int read(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct statement statement = {.source = source, .graph = graph};
    bool spanning_tree = false;
    int error = read_statements(&statement, true, &spanning_tree);
    int switches = graph->nodes;
    if (!error)
        error = read_statements(&statement, false, &spanning_tree);
    for (int i = 1; spanning_tree && i < switches; i++)
        if (strcmp(graph->node[i].name, graph->node[rules->root].name) < 0)
            rules->root = i;
    rules->spare_links = rules->spare_switches = spanning_tree;
    return error;
}

const struct star_reader star_reader_text = {knows, read};
