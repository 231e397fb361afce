/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/message.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "startune-wisdom 2";
static const char other[] = "no message of wisdom, or of another version",
                  cut_off[] = "a message of wisdom that is cut off";
static const char last[] = "\nend\n";
static const double of_second = 1e12, of_count = 1e3;

static void add_line(struct star_text *text, const char *name, const char *words)
{
    size_t begin = text->length + strlen(name);
    star_text_add(text, "%s %s\n", name, words);
    for (size_t i = begin; !text->failed && i + 1 < text->length; i++)
        if (text->bytes[i] == '\n')
            text->bytes[i] = ' ';
}

void star_message_begin(struct star_text *text, const char *machine)
{
    star_text_add(text, "%s\n", head);
    add_line(text, "machine", machine);
}

void star_message_fact(struct star_text *text, const struct star_fact *fact)
{
    const struct star_figures *f = &fact->figures;
    long long count = llround(f->count * of_count);
    if (count < 1)
        return;
    star_text_add(text, "fact %s %lld %lld %lld %d %d %lld %lld %lld %lld %lld %s\n", fact->operation,
                  (long long)fact->ranks, (long long)fact->nodes, (long long)fact->bytes, fact->commutative,
                  fact->in_place, count, llround(f->mean * of_second),
                  llround(sqrt(f->squares / f->count) * of_second), llround(f->least * of_second),
                  (long long)f->date, fact->method);
}

void star_message_fact_now(struct star_text *text, const struct star_fact *fact, int64_t now)
{
    struct star_fact left = *fact;
    if (star_fact_check(fact, NULL))
        return;
    left.figures = star_figures_fade(star_figures_until(fact->figures, now), now);
    star_message_fact(text, &left);
}

void star_message_added(struct star_text *text, const char *name)
{
    add_line(text, "added", name);
}

bool star_message_has_added(const struct star_text *text, const char *name)
{
    struct star_text line = {0};
    star_text_add(&line, "\n");
    star_message_added(&line, name);
    bool has = !line.failed && text->length > 0 &&
               memmem(text->bytes, text->length, line.bytes, line.length) != NULL;
    star_text_free(&line);
    return has;
}

void star_message_note(struct star_text *text, const char *note)
{
    add_line(text, "note", note);
}

void star_message_end(struct star_text *text)
{
    star_text_add(text, "end\n");
}

bool star_message_tells(const struct star_text *text)
{
    static const char fact[] = "\nfact ";
    return text->length > 0 && memmem(text->bytes, text->length, fact, sizeof fact - 1) != NULL;
}

/* What stands before END, or all that is left of *REST, in ROOM bytes at most; false: there is nothing. */
static bool read_word(char **rest, const char *end, char *word, size_t room)
{
    const char *next = strsep(rest, end);
    return next != NULL && (size_t)snprintf(word, room, "%s", next) < room;
}

static bool read_number(char **rest, int64_t *number)
{
    const char *next = strsep(rest, " ");
    char *end;
    errno = 0;
    if (next == NULL || *next == 0)
        return false;
    *number = strtoll(next, &end, 10);
    return *end == 0 && errno == 0;
}

static bool read_fact(char *line, struct star_fact *fact)
{
    enum { COMMUTATIVE, IN_PLACE, COUNT, MEAN, DEVIATION, LEAST, NUMBERS };
    int64_t number[NUMBERS];
    struct star_figures *f = &fact->figures;
    bool good = read_word(&line, " ", fact->operation, sizeof fact->operation) &&
                read_number(&line, &fact->ranks) && read_number(&line, &fact->nodes) &&
                read_number(&line, &fact->bytes);
    for (int i = 0; good && i < NUMBERS; i++)
        good = read_number(&line, &number[i]);
    if (!good || !read_number(&line, &f->date) ||
        !read_word(&line, "\n", fact->method, sizeof fact->method)) /* names of a program's may have spaces */
        return false;
    fact->commutative = number[COMMUTATIVE] != 0;
    fact->in_place = number[IN_PLACE] != 0;
    f->count = (double)number[COUNT] / of_count;
    f->mean = (double)number[MEAN] / of_second;
    f->squares = f->count * ((double)number[DEVIATION] / of_second) * ((double)number[DEVIATION] / of_second);
    f->least = (double)number[LEAST] / of_second;
    return true;
}

/* Is LINE one that begins with WORD? Then *REST is what follows. */
static bool is_line(char *line, const char *word, char **rest)
{
    size_t length = strlen(word);
    *rest = line + length + 1;
    return strncmp(line, word, length) == 0 && line[length] == ' ';
}

struct reading {
    struct star_fact fact; /* MACHINE is that of all */
    int (*visit)(const struct star_fact *fact, void *context);
    void *context;
    char *note;
    bool ended;
};

static int read_line(struct reading *reading, char *line, struct star_why *why)
{
    char *rest;
    reading->ended = strcmp(line, "end") == 0;
    if (reading->ended)
        return 0;
    if (is_line(line, "machine", &rest)) {
        snprintf(reading->fact.machine, sizeof reading->fact.machine, "%.399s", rest);
    } else if (is_line(line, "note", &rest)) {
        snprintf(reading->note, STAR_MESSAGE_NOTE, "%.399s", rest);
    } else if (is_line(line, "added", &rest)) {
        return 0;
    } else if (is_line(line, "fact", &rest)) {
        if (!read_fact(rest, &reading->fact))
            return star_because(why, STAR_EINPUT, "a line of wisdom that is no fact");
        int wrong = star_fact_check(&reading->fact, why);
        return wrong ? wrong : reading->visit(&reading->fact, reading->context);
    } else {
        return star_because(why, STAR_EINPUT, "an unknown line of wisdom");
    }
    return 0;
}

int star_message_read(const char *bytes, size_t length,
                      int (*visit)(const struct star_fact *fact, void *context), void *context,
                      char note[STAR_MESSAGE_NOTE], struct star_why *why)
{
    enum { LINE_MOST = 1024 };
    struct reading reading = {.visit = visit, .context = context, .note = note};
    int error = 0, lines = 0;
    note[0] = 0;
    while (error == 0 && length > 0 && !reading.ended) {
        char line[LINE_MOST];
        const char *end = memchr(bytes, '\n', length);
        if (end == NULL || end - bytes >= LINE_MOST || memchr(bytes, 0, (size_t)(end - bytes)) != NULL)
            break;
        memcpy(line, bytes, (size_t)(end - bytes));
        line[end - bytes] = 0;
        length -= (size_t)(end - bytes) + 1;
        bytes = end + 1;
        if (lines++ == 0 && strcmp(line, head) != 0)
            return star_because(why, STAR_EINPUT, other);
        if (lines > 1)
            error = read_line(&reading, line, why);
    }
    if (error == 0 && (!reading.ended || length > 0))
        return star_because(why, STAR_EINPUT, reading.ended ? other : cut_off);
    return error;
}

static bool begins_with(const char *bytes, size_t length, const char *beginning)
{
    return length >= strlen(beginning) && memcmp(bytes, beginning, strlen(beginning)) == 0;
}

int star_message_check(const char *bytes, size_t length, char note[STAR_MESSAGE_NOTE], struct star_why *why)
{
    static const char noted[] = "\nnote ";
    const size_t tail = sizeof last - 1;
    note[0] = 0;
    if (!begins_with(bytes, length, head) || length == strlen(head) || bytes[strlen(head)] != '\n')
        return star_because(why, STAR_EINPUT, other);
    if (length < tail || !begins_with(bytes + length - tail, tail, last))
        return star_because(why, STAR_EINPUT, cut_off);
    const char *said = memmem(bytes, length, noted, sizeof noted - 1);
    if (said != NULL) {
        said += sizeof noted - 1; /* up to the line's end, which there is */
        snprintf(note, STAR_MESSAGE_NOTE, "%.*s", (int)strcspn(said, "\n"), said);
    }
    return 0;
}

void star_message_reopen(struct star_text *text)
{
    const size_t tail = sizeof last - 1;
    if (text->length >= tail && begins_with(text->bytes + text->length - tail, tail, last))
        text->bytes[text->length -= tail - 1] = 0;
}
