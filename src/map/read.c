/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of maps (write.c shows the format). It refuses what it would not write itself, but for
 * empty lines and spaces. */
#include "map/read.h"
#include "map/words.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct star_source source;
    struct star_map *map;
    int operation; /* the current one; −1: none yet */
    int point;     /* the current one's index; −1: none yet */
    int points;    /* of all operations */
    bool crowned;  /* the current point has its winner */
    bool ended;
};

static const char first_words[] = "startune map";

static int out_of_memory(const struct reading *reading)
{
    return star_because(reading->source.why, STAR_EMEMORY, "out of memory for %.200s", reading->source.name);
}

static struct star_map_point *current(const struct reading *reading)
{
    return reading->point < 0 ? NULL : &reading->map->of[reading->operation].point[reading->point];
}

static int take_first(struct reading *reading)
{
    char *rest = star_source_line(&reading->source);
    size_t length = strlen(first_words);
    int64_t version;
    if (rest == NULL && reading->source.text.failed)
        return 0; /* star_source_end says so */
    if (rest == NULL || strncmp(rest, first_words, length) != 0)
        return star_because(reading->source.why, STAR_EINPUT,
                            "%.150s:%d: no decision map: its first line is '%s %d'", reading->source.name,
                            reading->source.line ? reading->source.line : 1, first_words, STAR_MAP_VERSION);
    rest += length;
    const char *word = star_word(&rest);
    if (word == NULL || !star_parse_integer(word, &version) || version < 1)
        return star_source_wrong(&reading->source, "the version is missing: '%s %d'", first_words,
                                 STAR_MAP_VERSION);
    if (version > STAR_MAP_VERSION)
        return star_source_wrong(&reading->source, "a map of version %lld: this startune reads up to %d",
                                 (long long)version, STAR_MAP_VERSION);
    return star_word(&rest)
               ? star_source_wrong(&reading->source, "more than '%s %d'", first_words, STAR_MAP_VERSION)
               : 0;
}

static int take_number(const struct reading *reading, const char *what, const char *word, int64_t least,
                       int64_t most, int64_t *number)
{
    if (word == NULL)
        return star_source_wrong(&reading->source, "%s: a number is missing", what);
    if (!star_parse_integer(word, number) || *number < least || *number > most)
        return star_source_wrong(&reading->source, "%s %.60s: a whole number from %lld to %lld is good", what,
                                 word, (long long)least, (long long)most);
    return 0;
}

static int take_seconds(const struct reading *reading, const char *word, double *seconds)
{
    if (strchr(word, '%') || !star_parse_number(word, seconds) || !(*seconds > 0))
        return star_source_wrong(&reading->source, "'%.60s' is no time in seconds above 0", word);
    return 0;
}

static int take_end_of_line(const struct reading *reading, char *rest)
{
    const char *word = star_word(&rest);
    return word ? star_source_wrong(&reading->source, "'%.60s' is too much", word) : 0;
}

/* Is it what stands in a line of text, and says nothing to a terminal that shows it? */
static bool is_words(const char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text) && *text != '\t')
            return false;
    return true;
}

static int take_fact(struct reading *reading, const struct star_map_fact *fact, char *rest)
{
    char *at = (char *)&reading->map->machine + fact->offset;
    int64_t number;
    if (reading->operation >= 0)
        return star_source_wrong(&reading->source, "'%s' stands before the operations", fact->word);
    if (fact->is_text) {
        rest += strspn(rest, " \t");
        size_t length = strlen(rest);
        if (length == 0 || length >= STAR_MAP_TEXT || at[0] != 0 || !is_words(rest))
            return star_source_wrong(&reading->source,
                                     "'%s' has one text of 1 to %d bytes without control characters, once",
                                     fact->word, STAR_MAP_TEXT - 1);
        memcpy(at, rest, length + 1);
        return 0;
    }
    int error = take_number(reading, fact->word, star_word(&rest), 1, STAR_MAP_RANKS_MOST, &number);
    if (!error && *(int *)(void *)at != 0)
        error = star_source_wrong(&reading->source, "'%s' stands once", fact->word);
    if (!error)
        *(int *)(void *)at = (int)number;
    return error ? error : take_end_of_line(reading, rest);
}

/* The current point is complete: it has a winner. */
static int close_point(const struct reading *reading)
{
    if (reading->point >= 0 && !reading->crowned)
        return star_source_wrong(&reading->source, "the point before this line has no winner");
    return 0;
}

/* … and so is the current operation: it has points. */
static int close_operation(const struct reading *reading)
{
    if (reading->operation >= 0 && reading->point < 0)
        return star_source_wrong(&reading->source, "the operation before this line has no points");
    return close_point(reading);
}

static int take_operation(struct reading *reading, char *rest)
{
    struct star_why why = {{0}};
    enum star_operation operation;
    int error = close_operation(reading);
    if (error)
        return error;
    const char *word = star_word(&rest);
    if (star_operation_parse(word ? word : "", &operation, &why))
        return star_source_wrong(&reading->source, "%.200s", why.text);
    if (reading->map->of[operation].points > 0)
        return star_source_wrong(&reading->source, "operation %s stands twice",
                                 star_operations[operation].name);
    reading->operation = (int)operation;
    reading->point = -1;
    return take_end_of_line(reading, rest);
}

static int take_origin(const struct reading *reading, const char *word, bool *searched)
{
    for (int i = 0; i < 2; i++)
        if (word != NULL && strcmp(word, star_map_origins[i]) == 0) {
            *searched = i;
            return 0;
        }
    return star_source_wrong(&reading->source, "'%s' or '%s' is missing", star_map_origins[0],
                             star_map_origins[1]);
}

static int take_point(struct reading *reading, char *rest, bool guessed)
{
    int64_t ranks = 0, bytes = 0;
    bool searched = false;
    int error = close_point(reading);
    if (!error && reading->operation < 0)
        error = star_source_wrong(&reading->source, "a point before any operation");
    if (!error)
        error = take_number(reading, "ranks", star_word(&rest), 1, STAR_MAP_RANKS_MOST, &ranks);
    if (!error)
        error = take_number(reading, "bytes", star_word(&rest), 0, INT64_MAX, &bytes);
    if (!error)
        error = take_origin(reading, star_word(&rest), &searched);
    if (!error)
        error = take_end_of_line(reading, rest);
    if (error)
        return error;
    const struct star_map_point *last = current(reading);
    if (last && (last->ranks > ranks || (last->ranks == ranks && last->bytes >= bytes)))
        return star_source_wrong(&reading->source, "points are sorted by ranks, then bytes, each once");
    struct star_map_point *point =
        star_map_point(reading->map, (enum star_operation)reading->operation, (int)ranks, bytes);
    if (point == NULL)
        return out_of_memory(reading);
    point->searched = searched;
    point->guessed = guessed;
    reading->point = reading->map->of[reading->operation].points - 1;
    reading->points++;
    reading->crowned = false;
    return 0;
}

static int take_method(struct reading *reading, const char *word, int *method)
{
    struct star_method parsed;
    struct star_why why = {{0}};
    if (word == NULL)
        return star_source_wrong(&reading->source, "the method is missing");
    if (star_method_parse(word, &parsed, &why))
        return star_source_wrong(&reading->source, "%.200s", why.text);
    if ((int)parsed.algorithm->operation != reading->operation)
        return star_source_wrong(&reading->source, "'%.60s' is no method of %s", word,
                                 star_operations[reading->operation].name);
    *method = star_map_method(reading->map, &parsed);
    if (*method == STAR_MAP_METHODS_MOST)
        return star_source_wrong(&reading->source, "more than %d methods of %s", STAR_MAP_METHODS_MOST,
                                 star_operations[reading->operation].name);
    return *method < 0 ? out_of_memory(reading) : 0;
}

/* All samples, or none. */
static int take_samples(const struct reading *reading, char *rest, struct star_map_timing *timing)
{
    char *word = star_word(&rest);
    if (word == NULL)
        return 0;
    if ((size_t)timing->count > strlen(rest) / 2 + 1) /* each takes two characters: no memory for a lie */
        return star_source_wrong(&reading->source, "fewer samples than the %d announced", timing->count);
    timing->samples = malloc((size_t)(timing->count > 0 ? timing->count : 1) * sizeof *timing->samples);
    if (timing->samples == NULL)
        return out_of_memory(reading);
    int error = 0, taken = 0;
    for (; !error && word && taken < timing->count; word = star_word(&rest))
        error = take_seconds(reading, word, &timing->samples[taken++]);
    if (!error && (word || taken < timing->count))
        error = star_source_wrong(&reading->source, "%s samples than the %d announced",
                                  word ? "more" : "fewer", timing->count);
    return error;
}

static int take_median(const struct reading *reading, char **rest, struct star_map_timing *timing)
{
    int64_t count = 0;
    bool guessed = current(reading)->guessed;
    const char *word = star_word(rest);
    if (word == NULL)
        return star_source_wrong(&reading->source, "the median is missing");
    bool unknown = guessed && strcmp(word, "-") == 0;
    int error = unknown ? 0 : take_seconds(reading, word, &timing->median);
    if (!error)
        error = take_number(reading, "number of samples", star_word(rest), guessed ? 0 : 1,
                            unknown ? 0 : INT32_MAX, &count);
    if (!error)
        timing->count = (int)count;
    return error;
}

static int take_timing(struct reading *reading, char *rest, enum star_map_role role)
{
    struct star_map_point *point = current(reading);
    int method = 0;
    if (point == NULL)
        return star_source_wrong(&reading->source, "a time before any point");
    if (role == STAR_MAP_WINNER && reading->crowned)
        return star_source_wrong(&reading->source, "a second winner");
    int error = take_method(reading, star_word(&rest), &method), before = point->timings;
    if (error)
        return error;
    struct star_map_timing *timing = star_map_timing(point, method);
    if (timing == NULL)
        return out_of_memory(reading);
    if (point->timings == before)
        return star_source_wrong(&reading->source, "the method stands twice at this point");
    timing->tied = role == STAR_MAP_TIED;
    if (role == STAR_MAP_WINNER) {
        point->winner = before;
        reading->crowned = true;
    }
    error = take_median(reading, &rest, timing);
    return error ? error : take_samples(reading, rest, timing);
}

static int take_end(struct reading *reading, char *rest)
{
    int64_t points = 0;
    int error = close_operation(reading);
    if (!error)
        error = take_number(reading, "end", star_word(&rest), 0, INT32_MAX, &points);
    if (!error && points != reading->points)
        error = star_source_wrong(&reading->source,
                                  "%d points, not the %lld announced: lines are missing or doubled",
                                  reading->points, (long long)points);
    reading->ended = true;
    return error ? error : take_end_of_line(reading, rest);
}

static int take_line(struct reading *reading, char *rest)
{
    const char *word = star_word(&rest);
    for (int i = 0; i < star_map_fact_count; i++)
        if (strcmp(word, star_map_facts[i].word) == 0)
            return take_fact(reading, &star_map_facts[i], rest);
    for (int i = 0; i < STAR_MAP_ROLES; i++)
        if (strcmp(word, star_map_roles[i]) == 0)
            return take_timing(reading, rest, (enum star_map_role)i);
    if (strcmp(word, "operation") == 0)
        return take_operation(reading, rest);
    if (strcmp(word, "point") == 0 || strcmp(word, "guessed") == 0)
        return take_point(reading, rest, word[0] == 'g');
    if (strcmp(word, "end") == 0)
        return take_end(reading, rest);
    return star_source_wrong(&reading->source, "unknown word '%.60s'", word);
}

static int take_lines(struct reading *reading)
{
    int error = take_first(reading);
    for (char *line; !error && (line = star_source_line(&reading->source)) != NULL;)
        error = reading->ended ? star_source_wrong(&reading->source, "text after the end")
                               : take_line(reading, line);
    if (!error && !reading->ended && !reading->source.text.failed)
        error = star_source_wrong(&reading->source, "the file ends early: its 'end' is missing");
    return error;
}

int star_map_parse(const char *bytes, size_t length, const char *name, struct star_map **map,
                   struct star_why *why)
{
    struct star_why because = {{0}};
    int error = star_file_is_text(bytes, length, name, why);
    if (error)
        return error;
    struct reading reading = {
        .source = {.name = name, .bytes = bytes, .length = length, .why = why ? why : &because},
        .map = star_map_new(),
        .operation = -1,
        .point = -1};
    error = reading.map ? star_source_end(&reading.source, take_lines(&reading)) : out_of_memory(&reading);
    if (error)
        star_map_free(reading.map);
    else
        *map = reading.map;
    return error;
}

int star_map_read(const char *path, struct star_map **map, struct star_why *why)
{
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    if (!error)
        error = star_map_parse(text.bytes ? text.bytes : "", text.length, star_file_name(path), map, why);
    star_text_free(&text);
    return error;
}
