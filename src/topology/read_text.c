/* SPDX-License-Identifier: BSD-3-Clause
 * Our own text format: a statement a line.
 *     switch NAMES
 *     link SWITCH SWITCHES [MBPS]
 *     host NAMES SWITCH [MBPS] [slots=N]
 *     spanning-tree
 *     islands
 * They may stand in any order. The switch that is named first is the root; of a spanning tree, as with
 * Ethernet, the one whose name is first in the alphabet. Islands need no connection: each has a root. */
#include "topology/islands.h"
#include "topology/readers.h"
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
    static const char *const words[] = {"switch", "link", "host", "spanning-tree", "islands"};
    const char *nearest = star_nearest(word, words, sizeof words / sizeof *words);
    return star_source_wrong(source, "unknown word '%.60s': %s%s%s", word, nearest ? "did you mean '" : "",
                             nearest ? nearest : "switch, link, host, spanning-tree and islands are known",
                             nearest ? "'?" : "");
}

/* What a line says of the whole network. */
struct kind {
    bool spanning_tree, islands;
};

/* Switches alone the first time, then what hangs on them: so they may be named before they are declared. */
static int read_statements(struct star_source *source, struct star_graph *graph, bool switches,
                           struct kind *kind)
{
    int error = 0;
    star_source_rewind(source);
    for (char *rest; !error && (rest = star_source_statement(source)) != NULL;) {
        const char *word = star_word(&rest);
        if (strcmp(word, "switch") == 0)
            error = switches ? take_switch(source, graph, rest) : 0;
        else if (strcmp(word, "spanning-tree") == 0)
            kind->spanning_tree = true;
        else if (strcmp(word, "islands") == 0)
            kind->islands = true;
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

/* The switch whose name is first, of COUNT ones. */
static int first_by_name(const struct star_graph *graph, int count)
{
    int first = 0;
    for (int i = 1; i < count; i++)
        if (strcmp(graph->node[i].name, graph->node[first].name) < 0)
            first = i;
    return first;
}

static int read_text(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules)
{
    struct kind kind = {false, false};
    int error = read_statements(source, graph, true, &kind);
    int switches = graph->nodes;
    if (!error)
        error = read_statements(source, graph, false, &kind);
    rules->spare_links = rules->spare_switches = kind.spanning_tree;
    if (!error && kind.islands)
        return star_graph_join_islands(graph, NULL, kind.spanning_tree, rules, source->why);
    if (kind.spanning_tree)
        rules->root = first_by_name(graph, switches);
    return error;
}

const struct star_reader star_reader_text = {knows, read_text};
