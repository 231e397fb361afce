/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/reader.h"
#include "topology/hostlist.h"
#include "util/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

static char *next_line(struct star_source *source, bool comments)
{
    while (source->at < source->length) {
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
        for (; length > 0 && is_space(*begin); length--)
            begin++;
        if (length == 0)
            continue;
        source->text.length = 0;
        star_text_append(&source->text, begin, length);
        return source->text.failed ? NULL : source->text.bytes;
    }
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

int star_source_names(struct star_source *source, const char *list,
                      int (*take)(const char *name, void *context), void *context)
{
    struct star_why why = {{0}};
    int error = star_hostlist_each(list, take, context, &why);
    return why.text[0] ? star_source_wrong(source, "%.200s", why.text) : error;
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
