/* SPDX-License-Identifier: BSD-3-Clause
 * Our own text format: a statement a line.
 *     switch NAMES
 *     link SWITCH SWITCHES [MBPS]
 *     host NAMES SWITCH [MBPS] [slots=N]
 *     spanning-tree
 * They may stand in any order. The switch that is named first is the root; of a spanning tree, as with
 * Ethernet, the one whose name is first in the alphabet. */
#include "topology/reader.h"
#include "util/parse.h"

#include <string.h>

static int take_slots(const struct star_source *source, const char *word, int *slots)
{
    int64_t number;
    if (!star_parse_integer(word, &number) || number < 1 || number > STAR_SLOTS_MOST)
        return star_source_wrong(source, "slots=%.60s: a whole number from 1 to %d is good", word,
                                 STAR_SLOTS_MOST);
    *slots = (int)number;
    return 0;
}

/* What may follow the names: a bandwidth, and slots of hosts. */
static int take_more(const struct star_source *source, char *rest, bool host, double *mbps, int *slots)
{
    static const char prefix[] = "slots=";
    int error = 0;
    for (char *word; !error && (word = star_word(&rest)) != NULL;) {
        if (host && star_begins(word, prefix))
            error = take_slots(source, word + strlen(prefix), slots);
        else if (*mbps == 0)
            error = star_source_mbps(source, word, mbps);
        else
            error = star_source_wrong(source, "'%.60s' is too much", word);
    }
    return error;
}

static int take_switch(struct star_source *source, struct star_graph *graph, char *rest)
{
    char *names = star_word(&rest), *more = star_word(&rest);
    if (names == NULL || more != NULL)
        return star_source_wrong(source, "a switch has a name and nothing else: switch NAME");
    return star_source_switches(source, graph, names);
}

static int take_attached(struct star_source *source, struct star_graph *graph, char *rest, bool host)
{
    double mbps = 0;
    int slots = 1;
    char *first = star_word(&rest), *second = star_word(&rest);
    if (second == NULL)
        return star_source_wrong(source, host ? "a host needs a switch: host NAME SWITCH [MBPS] [slots=N]"
                                              : "a link has two ends: link SWITCH SWITCH [MBPS]");
    int error = take_more(source, rest, host, &mbps, &slots);
    if (error)
        return error;
    int at = star_graph_find_switch(graph, host ? second : first, source->line, source->why);
    if (at < 0)
        return at;
    return host ? star_source_machines(source, graph, at, first, mbps, slots)
                : star_source_links(source, graph, at, second, mbps);
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
static int read_statements(struct star_source *source, struct star_graph *graph, bool switches,
                           bool *spanning_tree)
{
    int error = 0;
    star_source_rewind(source);
    for (char *rest; !error && (rest = star_source_statement(source)) != NULL;) {
        const char *word = star_word(&rest);
        if (strcmp(word, "switch") == 0)
            error = switches ? take_switch(source, graph, rest) : 0;
        else if (strcmp(word, "spanning-tree") == 0)
            *spanning_tree = true;
        else if (strcmp(word, "link") && strcmp(word, "host"))
            error = take_unknown(source, word);
        else if (!switches)
            error = take_attached(source, graph, rest, word[0] == 'h');
    }
    return error;
}

static bool knows(const char *line)
{
    (void)line;
    return true;
}

static int read_text(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    bool spanning_tree = false;
    int error = read_statements(source, graph, true, &spanning_tree);
    int switches = graph->nodes;
    if (!error)
        error = read_statements(source, graph, false, &spanning_tree);
    for (int i = 1; spanning_tree && i < switches; i++)
        if (strcmp(graph->node[i].name, graph->node[rules->root].name) < 0)
            rules->root = i;
    rules->spare_links = rules->spare_switches = spanning_tree;
    return error;
}

const struct star_reader star_reader_text = {knows, read_text};
