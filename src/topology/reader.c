/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/reader.h"
#include "topology/hostlist.h"
#include "util/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* Takes the next line into TEXT, without its end; false: there is none. */
static bool take_line(struct star_source *source, bool comments)
{
    if (source->at >= source->length)
        return false;
    const char *begin = source->bytes + source->at;
    const char *end = memchr(begin, '\n', source->length - source->at);
    size_t length = end ? (size_t)(end - begin) : source->length - source->at;
    source->at += length + 1;
    source->line++;
    const char *comment = comments ? NULL : memchr(begin, '#', length);
    if (comment != NULL)
        length = (size_t)(comment - begin);
    for (; length > 0 && is_space(begin[length - 1]); length--)
        ;
    star_text_append(&source->text, begin, length);
    return true;
}

/* Some editors begin a file with a byte order mark. */
static void skip_mark(struct star_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (source->at == 0 && source->length >= strlen(mark) && memcmp(source->bytes, mark, strlen(mark)) == 0)
        source->at = strlen(mark);
}

static char *next_line(struct star_source *source, bool comments)
{
    skip_mark(source);
    do {
        source->text.length = 0;
        while (take_line(source, comments) && source->joins && source->text.length > 0 &&
               source->text.bytes[source->text.length - 1] == '\\')
            source->text.bytes[source->text.length - 1] = ' ';
        if (source->text.failed || source->text.bytes == NULL)
            return NULL;
        for (char *line = source->text.bytes; source->text.length > 0 && *line; line++)
            if (!is_space(*line))
                return line;
    } while (source->at < source->length);
    return NULL;
}

char *star_source_line(struct star_source *source)
{
    return next_line(source, true);
}

char *star_source_statement(struct star_source *source)
{
    return next_line(source, false);
}

void star_source_rewind(struct star_source *source)
{
    source->at = 0;
    source->line = 0;
}

int star_source_end(struct star_source *source, int error)
{
    if (!error && source->text.failed)
        error = star_because(source->why, STAR_EMEMORY, "out of memory for a line of %.200s", source->name);
    star_text_free(&source->text);
    return error;
}

int star_source_wrong(const struct star_source *source, const char *format, ...)
{
    char reason[300];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return star_because(source->why, STAR_EINPUT, "%.150s:%d: %s", source->name, source->line, reason);
}

/* What a statement says of each name of its list. */
struct statement {
    const struct star_source *source;
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
    return link_to(statement, star_graph_find_switch(statement->graph, name, statement->source->line,
                                                     statement->source->why));
}

static int add_machine(const char *name, void *context)
{
    struct statement *statement = context;
    return link_to(statement, star_graph_add_machine(statement->graph, name, statement->slots,
                                                     statement->source->line, statement->source->why));
}

/* Reasons of the list itself get file and line. */
static int each(struct statement *statement, const char *names, int (*take)(const char *name, void *context))
{
    struct star_why why = {{0}};
    int error = star_hostlist_each(names, take, statement, &why);
    return why.text[0] ? star_source_wrong(statement->source, "%.200s", why.text) : error;
}

int star_source_switches(struct star_source *source, struct star_graph *graph, const char *names)
{
    struct statement statement = {.source = source, .graph = graph};
    return each(&statement, names, add_switch);
}

int star_source_links(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps)
{
    struct statement statement = {.source = source, .graph = graph, .at = at, .mbps = mbps};
    return each(&statement, names, add_link);
}

int star_source_machines(struct star_source *source, struct star_graph *graph, int at, const char *names,
                         double mbps, int slots)
{
    struct statement statement = {source, graph, at, mbps, slots};
    return each(&statement, names, add_machine);
}

int star_source_mbps(const struct star_source *source, const char *word, double *mbps)
{
    static const struct {
        char unit;
        double scale;
    } units[] = {{'K', 1e-3}, {'M', 1}, {'G', 1e3}, {'T', 1e6}};
    static const double least = 0.01, most = 1e9;
    char number[64];
    size_t length = strlen(word);
    double scale = 1;
    for (size_t i = 0; length > 1 && i < sizeof units / sizeof *units; i++)
        if (toupper((unsigned char)word[length - 1]) == units[i].unit) {
            scale = units[i].scale;
            length--;
            break;
        }
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), word);
    if (strchr(number, '%') || !star_parse_number(number, mbps))
        return star_source_wrong(source, "'%.60s' is no bandwidth such as 100, 100M or 2.5G (Mbit/s)", word);
    *mbps *= scale;
    if (!(*mbps >= least && *mbps <= most))
        return star_source_wrong(source, "a bandwidth of '%.60s': from %g to %g Mbit/s are good", word, least,
                                 most);
    return 0;
}

bool star_begins(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

char *star_word(char **rest)
{
    char *word = *rest;
    while (is_space(*word))
        word++;
    char *end = word;
    while (*end && !is_space(*end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = 0;
    return *word ? word : NULL;
}
