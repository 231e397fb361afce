/* SPDX-License-Identifier: BSD-3-Clause
 * What cannot be read is said, in one line for each store, and all else is counted. Who lost comes first. */
#include "site.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "cli/common/settings.h"
#include "plot/table.h"
#include "runs.h"
#include "util/text.h"
#include "util/version.h"
#include "util/why.h"
#include "wisdom/hours.h"
#include "wisdom/losses.h"
#include "wisdom/where.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Of a program over all stores. */
struct entry {
    struct star_hours_of hours;
    int stores, left; /* so many have runs of it; in so many it is left alone now */
};

/* A store, and what is wrong with it. */
struct source {
    const char *path;
    int64_t runs;
    size_t damaged;
    dev_t device; /* of its account: one that is named twice counts once */
    ino_t file;
    struct star_why why;
};

struct site {
    struct entry *entry;
    struct source *source;
    int entries, sources, wrong; /* WRONG: sources of which nothing is known */
    struct star_hours_of total;
    bool failed, own; /* OWN: the user's alone, which may be none yet */
};

/* In the order in which they are told. */
enum verdict { LOST, NOT_CLEAR, UNKNOWN, SAVED };
static const char *const verdicts[] = {"lost", "not clear", "not known", "saved"};

/* No more can have been lost than all. */
static double least(const struct star_hours_of *of)
{
    return fmax(of->saved - of->error, of->unknown_seconds - of->seconds);
}

static double most(const struct star_hours_of *of)
{
    return of->saved + of->error;
}

static enum verdict verdict(const struct star_hours_of *of)
{
    return of->runs == of->unknown_runs ? UNKNOWN : most(of) < 0 ? LOST : least(of) > 0 ? SAVED : NOT_CLEAR;
}

/* Those that lost, the most first; then what may be either; of those that gained the most first. */
static int by_harm(const void *a, const void *b)
{
    const struct star_hours_of *one = &((const struct entry *)a)->hours,
                               *other = &((const struct entry *)b)->hours;
    int first = (int)verdict(one) - (int)verdict(other);
    double x = one->saved, y = other->saved;
    if (first != 0)
        return first;
    if (x != y)
        return (x < y) == (verdict(one) != SAVED) ? -1 : 1;
    return strcmp(one->program, other->program);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->hours.program, ((const struct entry *)b)->hours.program);
}

/* Is the program left alone, in any shape, where these are its losses? */
static bool is_left(const struct star_losses *losses, const char *program)
{
    struct star_loss sum;
    for (size_t i = 0; i < losses->count; i++)
        if (strcmp(losses->at[i].run.program, program) == 0 &&
            strcmp(losses->at[i].run.version, STAR_VERSION) == 0 &&
            star_losses_enough(losses, &losses->at[i].run, (int64_t)time(NULL), cli_settings_now.retry_after,
                               &sum))
            return true;
    return false;
}

static void read_losses(const char *store, struct star_losses *losses)
{
    char path[STAR_WISDOM_PATH];
    struct star_text text = {0};
    if ((size_t)snprintf(path, sizeof path, "%s.losses", store) < sizeof path &&
        star_wisdom_read_anyones(path, STAR_LOSSES_BYTES_MOST, &text, NULL) == 0 && text.length > 0)
        star_losses_parse(text.bytes, text.length, losses);
    star_text_free(&text);
}

/* Each program of HOURS is there once. */
static void add_entries(struct site *site, struct source *source, const struct star_hours *hours)
{
    struct star_losses losses = {0};
    struct entry *entries =
        realloc(site->entry, ((size_t)site->entries + hours->count + 1) * sizeof *entries);
    site->failed = site->failed || entries == NULL;
    if (entries == NULL)
        return;
    site->entry = entries;
    read_losses(source->path, &losses);
    for (size_t i = 0; i < hours->count; i++) {
        entries[site->entries++] = (struct entry){hours->at[i], 1, is_left(&losses, hours->at[i].program)};
        source->runs += hours->at[i].runs;
    }
    star_losses_free(&losses);
}

static void say_damage(const struct source *source)
{
    if (source->why.text[0] != 0)
        cli_error("%s", source->why.text);
    else if (source->damaged > 0)
        cli_warn("%.300s.hours: %zu damaged line%s left out", source->path, source->damaged,
                 source->damaged == 1 ? " is" : "s are");
}

static bool is_there_already(const struct site *site, struct source *source)
{
    char path[STAR_WISDOM_PATH];
    struct stat status;
    if ((size_t)snprintf(path, sizeof path, "%s.hours", source->path) >= sizeof path ||
        stat(path, &status) != 0)
        return false;
    source->device = status.st_dev;
    source->file = status.st_ino;
    for (int i = 0; i < site->sources; i++)
        if (site->source[i].file == status.st_ino && site->source[i].device == status.st_dev)
            return true;
    return false;
}

static void read_source(struct site *site, const char *path)
{
    struct source *source = &site->source[site->sources];
    struct star_hours hours = {0};
    struct stat status;
    bool there = false;
    *source = (struct source){.path = path};
    if (is_there_already(site, source))
        return;
    site->sources++;
    int error = star_hours_read(path, &hours, &there, &source->why);
    if (!error && !there && !site->own && stat(path, &status) != 0)
        error = star_because(&source->why, STAR_EINPUT, "%.300s: %s", path, strerror(errno));
    if (!error)
        source->why.text[0] = 0;
    source->damaged = hours.wrong;
    site->wrong += error != 0;
    site->failed = site->failed || error == STAR_EMEMORY;
    star_hours_sum(&hours);
    add_entries(site, source, &hours);
    star_hours_free(&hours);
    say_damage(source);
}

static void merge_entries(struct site *site)
{
    int kept = 0;
    if (site->entries > 0)
        qsort(site->entry, (size_t)site->entries, sizeof *site->entry, by_name);
    for (int i = 0; i < site->entries; i++) {
        struct entry *last = &site->entry[kept - 1], *next = &site->entry[i];
        if (kept == 0 || by_name(last, next) != 0) {
            site->entry[kept++] = *next;
            continue;
        }
        star_hours_add(&last->hours, &next->hours);
        last->stores += next->stores;
        last->left += next->left;
    }
    site->entries = kept;
    if (kept > 0)
        qsort(site->entry, (size_t)kept, sizeof *site->entry, by_harm);
    for (int i = 0; i < kept; i++)
        if (i == 0)
            site->total = site->entry[i].hours;
        else
            star_hours_add(&site->total, &site->entry[i].hours);
}

static const double hour = 3600;

static const char *format_hours(double seconds, bool sign, char text[32])
{
    double hours = seconds / hour;
    snprintf(text, 32,
             sign                 ? fabs(hours) < 1000 ? "%+.3g" : "%+.0f"
             : fabs(hours) < 1000 ? "%.3g"
                                  : "%.0f",
             hours + 0.0);
    return text;
}

static void add_head(const struct site *site, struct star_text *text)
{
    const struct star_hours_of *all = &site->total;
    char word[5][32];
    double lost = 0, saved = 0;
    int losers = 0, gainers = 0;
    for (int i = 0; i < site->entries; i++) {
        const struct star_hours_of *of = &site->entry[i].hours;
        losers += verdict(of) == LOST;
        lost -= verdict(of) == LOST ? of->saved : 0;
        gainers += verdict(of) == SAVED;
        saved += verdict(of) == SAVED ? of->saved : 0;
    }
    star_text_add(text, "%d store%s, %lld run%s of %s rank hours, from %s to %s\n",
                  site->sources - site->wrong, site->sources - site->wrong == 1 ? "" : "s",
                  (long long)all->runs, all->runs == 1 ? "" : "s", format_hours(all->seconds, false, word[0]),
                  cli_format_day(all->first, word[1], sizeof word[1]),
                  cli_format_day(all->last, word[2], sizeof word[2]));
    star_text_add(text, "lost for sure: %s rank hours, by %d program%s\n", format_hours(lost, false, word[0]),
                  losers, losers == 1 ? "" : "s");
    star_text_add(text, "saved for sure: %s rank hours, by %d program%s\n",
                  format_hours(saved, false, word[0]), gainers, gainers == 1 ? "" : "s");
    if (all->runs > all->unknown_runs)
        star_text_add(text, "all together: %s, from %s to %s rank hours with 95 %% confidence\n",
                      format_hours(all->saved, true, word[0]), format_hours(least(all), true, word[1]),
                      format_hours(most(all), true, word[2]));
    star_text_add(text, "not known: %s rank hours, of %lld run%s\n\n",
                  format_hours(all->unknown_seconds, false, word[0]), (long long)all->unknown_runs,
                  all->unknown_runs == 1 ? "" : "s");
}

static const struct star_column columns[] = {
    {"program", "program", STAR_AS_WORDS},   {"verdict", "", STAR_AS_WORDS},
    {"saved", "saved h", STAR_AS_SIZES},     {"low", "from", STAR_AS_SIZES},
    {"high", "to", STAR_AS_SIZES},           {"hours", "of h", STAR_AS_SIZES},
    {"unknown", "unknown h", STAR_AS_SIZES}, {"runs", "runs", STAR_AS_COUNTS},
    {"lost", "lost", STAR_AS_COUNTS},        {"ranks", "ranks", STAR_AS_SIZES},
    {"stores", "stores", STAR_AS_COUNTS},    {"left", "left alone", STAR_AS_COUNTS}};

static void add_row(const struct entry *entry, struct star_table *table)
{
    const struct star_hours_of *of = &entry->hours;
    char word[32];
    bool known = verdict(of) != UNKNOWN;
    star_table_words(table, "%s", of->program);
    star_table_words(table, "%s", verdicts[verdict(of)]);
    star_table_words(table, "%s", known ? format_hours(of->saved, true, word) : "?");
    star_table_words(table, "%s", known ? format_hours(least(of), true, word) : "?");
    star_table_words(table, "%s", known ? format_hours(most(of), true, word) : "?");
    star_table_words(table, "%s", format_hours(of->seconds, false, word));
    star_table_words(table, "%s", format_hours(of->unknown_seconds, false, word));
    star_table_numbers(table, (double)of->runs, (double)of->lost_runs);
    star_table_words(table, of->ranks_least == of->ranks_most ? "%lld" : "%lld-%lld",
                     (long long)of->ranks_least, (long long)of->ranks_most);
    star_table_numbers(table, entry->stores, entry->left);
}

static void add_text(const struct site *site, struct star_text *text)
{
    struct star_table table = STAR_TABLE_OF(columns);
    if (site->entries == 0) {
        star_text_add(text, "no run has left an account yet\n");
        return;
    }
    add_head(site, text);
    for (int i = 0; i < site->entries; i++)
        add_row(&site->entry[i], &table);
    star_table_write(&table, text);
}

/* The members that a program and the sum of all have. */
static void json_hours(const struct star_hours_of *of, struct star_text *text)
{
    bool known = of->runs > of->unknown_runs;
    star_json_add(text,
                  "runs: %jd, unknown_runs: %jd, lost_runs: %jd, saved_runs: %jd, first: %jd, last: %jd, "
                  "rank_hours: %g, unknown_rank_hours: %g, lost_rank_hours: %g, saved_rank_hours: %g",
                  of->runs, of->unknown_runs, of->lost_runs, of->saved_runs, of->first, of->last,
                  of->seconds / hour, of->unknown_seconds / hour, of->lost / hour,
                  known ? of->saved / hour : NAN);
    star_json_add(text, "saved_low_rank_hours: %g, saved_high_rank_hours: %g", known ? least(of) / hour : NAN,
                  known ? most(of) / hour : NAN);
}

static void json_source(const struct source *source, struct star_text *text)
{
    star_json_add(text, "{store: %s, runs: %jd, damaged_lines: %jd, wrong: %s}", source->path, source->runs,
                  (int64_t)source->damaged, source->why.text);
}

static void json_entry(const struct entry *entry, struct star_text *text)
{
    star_json_add(text,
                  "{program: %s, verdict: %s, ranks_least: %jd, ranks_most: %jd, stores: %d, left_alone: %d",
                  entry->hours.program, verdicts[verdict(&entry->hours)], entry->hours.ranks_least,
                  entry->hours.ranks_most, entry->stores, entry->left);
    json_hours(&entry->hours, text);
    star_json_close(text, '}');
}

static void add_json(const struct site *site, struct star_text *text)
{
    star_json_add(text, "{stores: [");
    for (int i = 0; i < site->sources; i++)
        json_source(&site->source[i], text);
    star_json_add(text, "], total: {");
    json_hours(&site->total, text);
    star_json_add(text, "}, programs: [");
    for (int i = 0; i < site->entries; i++)
        json_entry(&site->entry[i], text);
    star_json_add(text, "]}");
    star_text_add(text, "\n");
}

static int tell(struct site *site)
{
    struct star_text text = {0};
    merge_entries(site);
    if (cli_report_ask.json)
        add_json(site, &text);
    else
        add_text(site, &text);
    text.failed = text.failed || site->failed;
    int status = cli_put(cli_report_ask.output, &text);
    return status == CLI_OK && site->wrong > 0 ? CLI_FAILED : status;
}

int cli_report_site(int count, char **words)
{
    char own[STAR_WISDOM_PATH], *only[] = {own};
    struct star_why why;
    struct site site = {0};
    if (cli_report_ask.html || cli_report_ask.matrix || cli_report_ask.all || cli_report_ask.as != NULL)
        return cli_error("--site goes with --json and -o alone");
    int error = count == 0 ? star_wisdom_path(own, sizeof own, &why) : 0, status;
    if (error || !cli_load_settings())
        return error ? cli_refuse(error, &why) : CLI_USAGE;
    site.own = count == 0;
    site.source = calloc(site.own ? 1 : (size_t)count, sizeof *site.source);
    for (int i = 0; site.source != NULL && i < (site.own ? 1 : count); i++)
        read_source(&site, (site.own ? only : words)[i]);
    if (site.source == NULL)
        status = cli_error("out of memory");
    else
        status = tell(&site);
    free(site.source);
    free(site.entry);
    return status;
}
