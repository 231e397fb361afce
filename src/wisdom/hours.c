/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/hours.h"
#include "util/file_write.h"
#include "util/grow.h"
#include "util/home.h"
#include "wisdom/tabbed.h"
#include "wisdom/where.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char star_hours_others[] = "(others)";
/* Behind each line, so that one that was cut off is known by it. */
static const char mark[] = ".";
/* No line says more: a million ranks for a thousand years. */
static const double seconds_most = 3e16;
static const int64_t runs_most = INT64_C(1) << 40, ranks_most = INT64_C(1) << 31,
                     date_most = INT64_C(1) << 40;

bool star_hours_run(const struct star_loss_run *run, int64_t date, double seconds, bool known, double saved,
                    double error, struct star_hours_of *hours)
{
    double ranks = (double)run->ranks;
    *hours = (struct star_hours_of){.first = date,
                                    .last = date,
                                    .ranks_least = run->ranks,
                                    .ranks_most = run->ranks,
                                    .runs = 1,
                                    .seconds = ranks * seconds};
    snprintf(hours->program, sizeof hours->program, "%s", run->program);
    if (!(seconds >= 0) || hours->seconds > seconds_most || date < STAR_FACT_NEVER_SET)
        return false;
    known = known && error >= 0 && ranks * error <= seconds_most && ranks * fabs(saved) <= seconds_most;
    if (!known) {
        hours->unknown_runs = 1;
        hours->unknown_seconds = hours->seconds;
        return true;
    }
    hours->saved = ranks * fmax(saved, -seconds);
    hours->error = ranks * error;
    hours->saved_runs = saved > error;
    hours->lost_runs = -saved > error;
    hours->lost = hours->lost_runs ? -hours->saved : 0;
    return true;
}

/* No more than a line may say. */
static void count(int64_t *into, int64_t more)
{
    *into = *into + more < runs_most ? *into + more : runs_most;
}

void star_hours_add(struct star_hours_of *into, const struct star_hours_of *more)
{
    into->first = more->first < into->first ? more->first : into->first;
    into->last = more->last > into->last ? more->last : into->last;
    into->ranks_least = more->ranks_least < into->ranks_least ? more->ranks_least : into->ranks_least;
    into->ranks_most = more->ranks_most > into->ranks_most ? more->ranks_most : into->ranks_most;
    count(&into->runs, more->runs);
    count(&into->unknown_runs, more->unknown_runs);
    count(&into->lost_runs, more->lost_runs);
    count(&into->saved_runs, more->saved_runs);
    into->seconds += more->seconds;
    into->unknown_seconds += more->unknown_seconds;
    into->lost += more->lost;
    into->saved += more->saved;
    into->error += more->error;
}

static int by_program(const void *a, const void *b)
{
    const struct star_hours_of *one = a, *other = b;
    return strcmp(one->program, other->program);
}

static int by_seconds(const void *a, const void *b)
{
    const struct star_hours_of *one = a, *other = b;
    return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

void star_hours_sum(struct star_hours *hours)
{
    size_t kept = 0;
    if (hours->count > 0)
        qsort(hours->at, hours->count, sizeof *hours->at, by_program);
    for (size_t i = 0; i < hours->count; i++)
        if (kept > 0 && by_program(&hours->at[kept - 1], &hours->at[i]) == 0)
            star_hours_add(&hours->at[kept - 1], &hours->at[i]);
        else
            hours->at[kept++] = hours->at[i];
    hours->count = kept;
}

void star_hours_shorten(struct star_hours *hours)
{
    star_hours_sum(hours);
    if (hours->count <= STAR_HOURS_PROGRAMS)
        return;
    qsort(hours->at, hours->count, sizeof *hours->at, by_seconds);
    for (size_t i = STAR_HOURS_PROGRAMS; i < hours->count; i++)
        snprintf(hours->at[i].program, sizeof hours->at[i].program, "%s", star_hours_others);
    star_hours_sum(hours);
}

void star_hours_free(struct star_hours *hours)
{
    free(hours->at);
    *hours = (struct star_hours){0};
}

static bool read_line(char *line, struct star_hours_of *of)
{
    return star_tabbed_integer(&line, STAR_FACT_NEVER_SET, date_most, &of->first) &&
           star_tabbed_integer(&line, of->first, date_most, &of->last) &&
           star_tabbed_integer(&line, 1, ranks_most, &of->ranks_least) &&
           star_tabbed_integer(&line, of->ranks_least, ranks_most, &of->ranks_most) &&
           star_tabbed_integer(&line, 1, runs_most, &of->runs) &&
           star_tabbed_integer(&line, 0, of->runs, &of->unknown_runs) &&
           star_tabbed_integer(&line, 0, of->runs - of->unknown_runs, &of->lost_runs) &&
           star_tabbed_integer(&line, 0, of->runs - of->unknown_runs - of->lost_runs, &of->saved_runs) &&
           star_tabbed_number(&line, 0, seconds_most, &of->seconds) &&
           star_tabbed_number(&line, 0, of->seconds, &of->unknown_seconds) &&
           star_tabbed_number(&line, 0, of->lost_runs > 0 ? of->seconds : 0, &of->lost) &&
           star_tabbed_number(&line, -of->seconds, seconds_most, &of->saved) &&
           star_tabbed_number(&line, 0, seconds_most, &of->error) &&
           star_tabbed_name(&line, of->program, sizeof of->program) && line != NULL &&
           strcmp(line, mark) == 0;
}

static bool append(struct star_hours *hours, const struct star_hours_of *of)
{
    struct star_hours_of *at = star_grown(hours->at, hours->count, sizeof *at);
    if (at == NULL) {
        star_hours_free(hours);
        return false;
    }
    hours->at = at;
    hours->at[hours->count++] = *of;
    return true;
}

bool star_hours_parse(const char *bytes, size_t length, struct star_hours *hours)
{
    enum { LINE_MOST = 1024 };
    char line[LINE_MOST];
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t whole = end ? (size_t)(end - bytes) : length;
        struct star_hours_of of;
        memset(&of, 0, sizeof of);
        snprintf(line, sizeof line, "%.*s", whole < LINE_MOST ? (int)whole : 0, bytes);
        if (whole > 0 && (end == NULL || strlen(line) != whole || !read_line(line, &of)))
            hours->wrong++;
        else if (whole > 0 && !append(hours, &of))
            return false;
        bytes += whole + (end != NULL);
        length -= whole + (end != NULL);
    }
    return true;
}

void star_hours_format(const struct star_hours_of *of, struct star_text *text)
{
    const int64_t integers[] = {of->first, of->last,         of->ranks_least, of->ranks_most,
                                of->runs,  of->unknown_runs, of->lost_runs,   of->saved_runs};
    const double seconds[] = {of->seconds, of->unknown_seconds, of->lost, of->saved, of->error};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        star_text_add(text, "%lld\t", (long long)integers[i]);
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        star_text_number(text, seconds[i]);
        star_text_add(text, "\t");
    }
    star_text_add(text, "%s\t%s\n", of->program, mark);
}

/* Of the account that goes on; of one that is added up just now, or whose adding up was cut short. */
static const char going_on[] = "hours", moved[] = "hours.moved";

static bool name_file(const char *store, const char *which, char path[STAR_WISDOM_PATH])
{
    int length = snprintf(path, STAR_WISDOM_PATH, "%s.%s", store, which);
    return store[0] != 0 && length > 0 && length < STAR_WISDOM_PATH;
}

/* Behind an empty line, as the one before may have been cut off. */
static void format_all(const struct star_hours *hours, struct star_text *text)
{
    star_text_add(text, "\n");
    for (size_t i = 0; i < hours->count; i++)
        star_hours_format(&hours->at[i], text);
}

/* In fewer lines. False: out of memory. */
static bool format_sums(const struct star_text *text, struct star_text *sums)
{
    struct star_hours hours = {0};
    bool good = star_hours_parse(text->bytes ? text->bytes : "", text->length, &hours);
    if (good) {
        star_hours_shorten(&hours);
        format_all(&hours, sums);
    }
    star_hours_free(&hours);
    return good && !sums->failed;
}

static bool holds(const struct star_text *text, const struct star_text *part)
{
    return text->length > 0 && memmem(text->bytes, text->length, part->bytes, part->length) != NULL;
}

/* What is in the file FROM goes to the end of PATH, unless it has come there already. */
static bool add_up(const char *from, const char *path)
{
    struct star_text text = {0}, sums = {0}, already = {0};
    off_t length;
    star_wisdom_read_own(path, STAR_HOURS_BYTES_MOST, &already);
    bool good = star_wisdom_read_own(from, STAR_HOURS_BYTES_MOST, &text) && format_sums(&text, &sums);
    if (good && !holds(&already, &sums))
        good = star_file_append(path, sums.bytes, sums.length, STAR_HOURS_BYTES_MOST, &length, NULL) == 0;
    star_text_free(&text);
    star_text_free(&sums);
    star_text_free(&already);
    return good;
}

/* Where the file system has no second names. */
static bool move(const char *path, const char *other)
{
    if (link(path, other) == 0)
        return unlink(path) == 0;
    return errno != EEXIST && access(other, F_OK) != 0 && rename(path, other) == 0;
}

/* Whoever can give the file the other name does it alone; others write a new one meanwhile. Who is killed
 * leaves that other name, which readers know; a day later it is gone through again. */
static void shorten(const char *store, const char *path)
{
    enum { DAY = 86400 };
    char other[STAR_WISDOM_PATH];
    struct stat status;
    if (!name_file(store, moved, other))
        return;
    bool left_over = stat(other, &status) == 0 && time(NULL) - status.st_mtime > DAY;
    if ((left_over || move(path, other)) && add_up(other, path))
        unlink(other);
}

void star_hours_note(const char *store, const struct star_hours_of *of)
{
    const size_t most = STAR_HOURS_BYTES_MOST;
    char path[STAR_WISDOM_PATH];
    struct star_hours_of copy = *of;
    struct star_hours one = {.at = &copy, .count = 1};
    struct star_text text = {0};
    off_t length = 0;
    if (!name_file(store, going_on, path) || (access(store, F_OK) == 0 && !star_wisdom_is_private(store)))
        return;
    format_all(&one, &text);
    if (!text.failed && star_file_append(path, text.bytes, text.length, most, &length, NULL) != 0 &&
        star_home_make(path, NULL) == 0)
        star_file_append(path, text.bytes, text.length, most, &length, NULL);
    star_text_free(&text);
    if (length > STAR_HOURS_LONG)
        shorten(store, path);
}

/* The two files of an account. */
struct pair {
    char path[2][STAR_WISDOM_PATH]; /* the one that was moved, and the one that goes on */
    struct star_text text[2];
    ino_t file[2]; /* 0: there is none */
};

static void look(const struct pair *pair, ino_t file[2])
{
    struct stat status;
    for (int i = 0; i < 2; i++)
        file[i] = lstat(pair->path[i], &status) == 0 ? status.st_ino : 0;
}

/* Again where runs add it up meanwhile. */
static int read_pair(struct pair *pair, struct star_why *why)
{
    enum { TRIES = 100 };
    ino_t now[2];
    int error = 0;
    for (int try = 0; try < TRIES; try++) {
        look(pair, pair->file);
        for (int i = 0; i < 2; i++) {
            pair->text[i].length = 0;
            bool twice = i == 0 && pair->file[0] == pair->file[1];
            if (pair->file[i] != 0 && !twice && !error)
                error = star_wisdom_read_anyones(pair->path[i], STAR_HOURS_BYTES_MOST, &pair->text[i], why);
        }
        look(pair, now);
        if (now[0] == pair->file[0] && now[1] == pair->file[1])
            break;
        error = 0;
    }
    return error;
}

/* Whoever added the moved one up may have been killed before it was removed. */
static bool parse_pair(struct pair *pair, struct star_hours *hours)
{
    struct star_text sums = {0};
    bool good = format_sums(&pair->text[0], &sums);
    for (int i = good && holds(&pair->text[1], &sums); good && i < 2; i++)
        good = star_hours_parse(pair->text[i].bytes ? pair->text[i].bytes : "", pair->text[i].length, hours);
    star_text_free(&sums);
    return good;
}

int star_hours_read(const char *store, struct star_hours *hours, bool *there, struct star_why *why)
{
    struct pair pair = {.file = {0}};
    if (!name_file(store, moved, pair.path[0]) || !name_file(store, going_on, pair.path[1]))
        return star_because(why, STAR_EINPUT, "'%.100s': no store has such a path", store);
    int error = read_pair(&pair, why);
    *there = pair.file[0] != 0 || pair.file[1] != 0;
    if (!error && !parse_pair(&pair, hours))
        error = star_because(why, STAR_EMEMORY, "out of memory");
    star_text_free(&pair.text[0]);
    star_text_free(&pair.text[1]);
    return error;
}

int64_t star_hours_forget(const char *store, int64_t date)
{
    struct star_hours hours = {0};
    struct star_text text = {0};
    char path[STAR_WISDOM_PATH], other[STAR_WISDOM_PATH];
    bool there = false, good = true;
    int64_t runs = 0;
    size_t kept = 0;
    if (!name_file(store, going_on, path) || !name_file(store, moved, other) ||
        star_hours_read(store, &hours, &there, NULL) != 0 || !there) {
        star_hours_free(&hours);
        return 0;
    }
    for (size_t i = 0; i < hours.count; i++)
        if (date > 0 && hours.at[i].last >= date)
            hours.at[kept++] = hours.at[i];
        else
            runs += hours.at[i].runs;
    hours.count = kept;
    format_all(&hours, &text);
    if (date == 0)
        good = unlink(path) == 0 || access(path, F_OK) != 0;
    else if (runs > 0)
        good = !text.failed && star_file_write(path, text.bytes, text.length, NULL) == 0;
    if (good && (date == 0 || runs > 0))
        unlink(other);
    star_hours_free(&hours);
    star_text_free(&text);
    return good ? runs : -1;
}
