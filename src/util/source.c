/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
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
