/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "json.h"
#include "plot/table.h"
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* What is known of one operation on one machine. */
struct entry {
    const struct star_fact *first;
    int64_t facts, points, last;
    double calls; /* that have not faded */
};

static bool is_one_point(const struct star_fact *a, const struct star_fact *b)
{
    return a->ranks == b->ranks && a->nodes == b->nodes && a->bytes == b->bytes &&
           a->commutative == b->commutative && a->in_place == b->in_place;
}

/* Sums up the facts from FROM on, as long as they belong together; returns the first that does not. */
static size_t sum_up(const struct star_facts *facts, size_t from, int64_t now, struct entry *entry)
{
    const struct star_fact *first = &facts->at[from];
    size_t i = from;
    *entry = (struct entry){.first = first};
    for (; i < facts->count; i++) {
        const struct star_fact *fact = &facts->at[i];
        if (strcmp(fact->machine, first->machine) != 0 || strcmp(fact->operation, first->operation) != 0)
            break;
        entry->facts++;
        entry->points += i == from || !is_one_point(fact, fact - 1);
        entry->calls += star_figures_fade(fact->figures, now).count;
        entry->last = fact->figures.date > entry->last ? fact->figures.date : entry->last;
    }
    return i;
}

/* Behind the one before, if there is one. */
static void begin_table(struct star_table *table, struct star_text *text)
{
    star_table_write(table, text);
    star_text_add(text, text->length > 0 ? "\n" : "");
}

static const struct star_column list_columns[] = {{"operation", "operation", STAR_AS_WORDS},
                                                  {"points", "points", STAR_AS_COUNTS},
                                                  {"facts", "facts", STAR_AS_COUNTS},
                                                  {"calls", "calls", STAR_AS_COUNTS},
                                                  {"last", "last", STAR_AS_WORDS}};

static void list_entry(const struct entry *entry, struct star_table *table)
{
    char day[40];
    star_table_words(table, "%s", entry->first->operation);
    star_table_numbers(table, entry->points, entry->facts, entry->calls);
    star_table_words(table, "%s", cli_format_day(entry->last, day, sizeof day));
}

static void json_entry(const struct entry *entry, struct star_text *text)
{
    star_json_add(text, "{machine: %s, operation: %s, points: %jd, facts: %jd, calls: %g, last: %jd}",
                  entry->first->machine, entry->first->operation, entry->points, entry->facts, entry->calls,
                  entry->last);
}

int cli_wisdom_list(int count, char **words)
{
    (void)count, (void)words;
    struct star_facts facts;
    struct star_text text = {0};
    int status = cli_wisdom_read(NULL, &facts);
    if (status)
        return status;
    if (cli_wisdom_ask.json)
        star_json_open(&text, NULL, '[');
    struct star_table table = STAR_TABLE_OF(list_columns);
    const char *before = NULL;
    for (size_t i = 0; i < facts.count;) {
        struct entry entry;
        i = sum_up(&facts, i, (int64_t)time(NULL), &entry);
        const char *machine = entry.first->machine;
        bool begins = before == NULL || strcmp(before, machine) != 0;
        if (cli_wisdom_ask.json)
            json_entry(&entry, &text);
        else if (begins) {
            begin_table(&table, &text);
            star_text_add(&text, "%s\n", machine);
        }
        if (!cli_wisdom_ask.json)
            list_entry(&entry, &table);
        before = machine;
    }
    star_table_write(&table, &text);
    if (cli_wisdom_ask.json)
        star_json_close(&text, ']');
    star_text_add(&text, "%s", cli_wisdom_ask.json ? "\n" : facts.count == 0 ? "nothing is known yet\n" : "");
    star_facts_free(&facts);
    return cli_put(NULL, &text);
}

static void begin_point(const struct star_fact *fact, struct star_table *table, struct star_text *text)
{
    char bytes[32] = "any", nodes[40] = "";
    if (fact->nodes > 1)
        snprintf(nodes, sizeof nodes, " on %lld nodes", (long long)fact->nodes);
    if (fact->bytes >= 0)
        star_format_bytes(fact->bytes, bytes, sizeof bytes);
    begin_table(table, text);
    star_text_add(text, "%s, %lld ranks%s, %s bytes%s%s; %s\n", fact->operation, (long long)fact->ranks,
                  nodes, bytes, fact->in_place ? ", in place" : "",
                  fact->commutative ? "" : ", not commutative", fact->machine);
}

static const struct star_column show_columns[] = {
    {"method", "method", STAR_AS_WORDS}, {"mean", "mean", STAR_AS_TIMES},
    {"least", "least", STAR_AS_TIMES},   {"deviation", "± mean", STAR_AS_SHARES},
    {"calls", "calls", STAR_AS_COUNTS},  {"last", "last", STAR_AS_WORDS}};

static void show_fact(const struct star_fact *fact, int64_t now, struct star_table *table)
{
    char day[40];
    struct star_figures left = star_figures_fade(fact->figures, now);
    double deviation = left.count > 1 && left.mean > 0 ? sqrt(left.squares / left.count) / left.mean : 0;
    star_table_words(table, "%s", fact->method);
    star_table_numbers(table, left.mean, left.least, deviation, left.count);
    star_table_words(table, "%s", cli_format_day(fact->figures.date, day, sizeof day));
}

int cli_wisdom_show(int count, char **words)
{
    struct star_facts facts;
    struct star_text text = {0};
    struct star_table table = STAR_TABLE_OF(show_columns);
    int status = cli_wisdom_read(count ? words[0] : NULL, &facts);
    if (status)
        return status;
    if (cli_wisdom_ask.json)
        cli_wisdom_json(&facts, &text);
    for (size_t i = 0; !cli_wisdom_ask.json && i < facts.count; i++) {
        const struct star_fact *fact = &facts.at[i];
        if (i == 0 || !is_one_point(fact, fact - 1) || strcmp(fact->machine, fact[-1].machine) != 0 ||
            strcmp(fact->operation, fact[-1].operation) != 0)
            begin_point(fact, &table, &text);
        show_fact(fact, (int64_t)time(NULL), &table);
    }
    star_table_write(&table, &text);
    if (!cli_wisdom_ask.json && facts.count == 0)
        star_text_add(&text, "nothing is known%s%s\n", count ? " of " : " yet", count ? words[0] : "");
    star_facts_free(&facts);
    return cli_put(NULL, &text);
}

static void say_health(const char *path, const char *state, const char *wrong, bool unlockable, size_t facts)
{
    struct star_text text = {0};
    if (cli_wisdom_ask.json) {
        star_json_add(&text, "{store: %s, state: %s, reason: %s, version: %d, facts: %jd, locks: %i}", path,
                      state, wrong, STAR_WISDOM_VERSION, (intmax_t)facts, !unlockable);
        star_text_add(&text, "\n");
    } else {
        star_text_add(&text, "%s: %s", path, state);
        if (wrong[0])
            star_text_add(&text, ": %s", wrong);
        else if (strcmp(state, "whole") == 0)
            star_text_add(&text, ", %zu facts%s", facts,
                          unlockable ? "; its file system has no locks: a folder beside it is the lock" : "");
        cli_end_line(&text, 0);
    }
    cli_put(NULL, &text);
}

/* What SQLite takes for whole may hold facts that nothing could have learned. */
static int count_impossible(const struct star_facts *facts, struct star_why *why)
{
    size_t wrong = 0;
    struct star_why first;
    for (size_t i = 0; i < facts->count; i++)
        wrong += star_fact_check(&facts->at[i], wrong ? NULL : &first) != 0;
    return wrong ? star_because(why, STAR_EWRONG,
                                "impossible facts, which are not used: %zu; the first: %.250s", wrong,
                                first.text)
                 : 0;
}

int cli_wisdom_doctor(int count, char **words)
{
    enum { PATH_MOST = 4000 };
    (void)count, (void)words;
    char path[PATH_MOST];
    struct stat status;
    struct star_why why = {{0}};
    struct star_wisdom *store = NULL;
    struct star_facts facts = {0};
    int refused = cli_wisdom_where(path, sizeof path);
    if (refused)
        return refused;
    if (stat(path, &status) != 0 && errno == ENOENT) {
        say_health(path, "not there yet", "", false, 0);
        return CLI_OK;
    }
    cli_wisdom_fold(path);
    int error = star_wisdom_open(path, STAR_WISDOM_READ, &store, &why);
    if (error && error != STAR_EWRONG)
        return cli_refuse(error, &why);
    if (!error)
        error = star_wisdom_examine(store, &why);
    if (!error)
        error = star_wisdom_each(store, &(struct star_wisdom_filter){0}, star_facts_add, &facts, &why);
    if (!error)
        error = count_impossible(&facts, &why);
    say_health(path, error ? "damaged" : "whole", why.text, store != NULL && star_wisdom_is_unlockable(store),
               facts.count);
    cli_wisdom_close(store);
    star_facts_free(&facts);
    return error ? CLI_FAILED : CLI_OK;
}
