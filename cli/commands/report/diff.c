/* SPDX-License-Identifier: BSD-3-Clause
 * The contexts and requests whose time changed most come first. */
#include "diff.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "format.h"
#include "plot/table.h"
#include "report/rows.h"
#include "runs.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A context or request of either run, or of both. */
struct pair {
    const struct star_row *before, *after;
};

static double change(const struct pair *pair)
{
    return (pair->after ? pair->after->seconds : 0) - (pair->before ? pair->before->seconds : 0);
}

static int by_change(const void *a, const void *b)
{
    double x = fabs(change(a)), y = fabs(change(b));
    return (x < y) - (x > y);
}

static int pair_up(const struct star_rows *before, const struct star_rows *after, struct pair *pairs)
{
    int count = 0;
    for (int i = 0; i < before->count; i++)
        pairs[count++] = (struct pair){&before->row[i], NULL};
    for (int i = 0; i < after->count; i++) {
        int j = 0;
        while (j < before->count && !star_rows_are_alike(&before->row[j], &after->row[i]))
            j++;
        if (j < before->count)
            pairs[j].after = &after->row[i];
        else
            pairs[count++] = (struct pair){NULL, &after->row[i]};
    }
    qsort(pairs, (size_t)count, sizeof *pairs, by_change);
    return count;
}

static double per_call(const struct star_row *row)
{
    return row->calls > 0 ? row->seconds / (double)row->calls : 0;
}

/* What tells contexts, or requests, of one operation and size apart: " (in place, main+0x40)". */
static void add_apart(struct star_text *text, const struct star_row *row)
{
    const char *const words[] = {row->in_place ? "in place" : "",
                                 row->request || row->commutative ? "" : "not commutative", row->site,
                                 row->problem};
    const char *before = " (";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i][0]) {
            star_text_add(text, "%s%s", before, words[i]);
            before = ", ";
        }
    star_text_add(text, "%s", before[0] == ',' ? ")" : "");
}

static const struct star_column columns[] = {
    {"operation", "operation", STAR_AS_WORDS}, {"bytes", "bytes", STAR_AS_SIZES},
    {"ranks", "ranks", STAR_AS_COUNTS},        {"before", "a call", STAR_AS_TIMES},
    {"after", "now", STAR_AS_TIMES},           {"change", "change", STAR_AS_SIGNED_TIMES},
    {"calls_before", "calls", STAR_AS_COUNTS}, {"calls_after", "now", STAR_AS_COUNTS},
    {"method", "method", STAR_AS_WORDS}};

static void add_row(struct star_table *table, const struct pair *pair)
{
    const struct star_row *row = pair->after ? pair->after : pair->before;
    struct star_text words = {0};
    char bytes[32];
    star_table_words(table, "%s", row->operation);
    star_table_words(table, "%s", cli_bytes_of(row->bytes, bytes, sizeof bytes));
    star_table_numbers(table, row->ranks, pair->before ? per_call(pair->before) : NAN,
                       pair->after ? per_call(pair->after) : NAN, change(pair),
                       pair->before ? (double)pair->before->calls : 0,
                       pair->after ? (double)pair->after->calls : 0);
    if (pair->before == NULL || pair->after == NULL)
        star_text_add(&words, "%s: only in the %s run", row->method, pair->after ? "second" : "first");
    else if (strcmp(pair->before->method, pair->after->method) == 0)
        star_text_add(&words, "%s", row->method);
    else
        star_text_add(&words, "%s, was %s", pair->after->method, pair->before->method);
    add_apart(&words, row);
    star_table_words(table, "%s", words.bytes ? words.bytes : "");
    table->failed = table->failed || words.failed;
    star_text_free(&words);
}

static void json_row(struct star_text *text, const char *key, const struct star_row *row)
{
    if (row == NULL)
        return;
    star_json_open(text, key, '{');
    star_json_string(text, row->request ? "function" : "method", row->method);
    star_json_integer(text, row->request ? "functions" : "methods", row->methods);
    star_json_add(text, "calls: %jd, seconds: %g, saved_seconds: %g}", row->calls, row->seconds,
                  isnan(row->saved) ? 0 : row->saved);
}

static void add_json(struct star_text *text, const struct pair *pair)
{
    const struct star_row *row = pair->after ? pair->after : pair->before;
    star_json_open(text, NULL, '{');
    star_json_string(text, row->request ? "function_set" : "operation", row->operation);
    if (row->bytes >= 0)
        star_json_integer(text, "bytes", row->bytes);
    star_json_integer(text, "ranks", row->ranks);
    if (!row->request)
        star_json_add(text, "in_place: %i, commutative: %i", row->in_place, row->commutative);
    if (row->problem[0])
        star_json_string(text, "problem", row->problem);
    if (row->site[0])
        star_json_string(text, "site", row->site);
    star_json_number(text, "change_seconds", change(pair));
    json_row(text, "before", pair->before);
    json_row(text, "after", pair->after);
    star_json_close(text, '}');
}

static void add_head(struct star_text *text, const json_t *run)
{
    char seconds[32];
    size_t begin = text->length;
    star_text_add(text, "%s  %8s  %s", star_report_date(run).text,
                  cli_seconds_of(star_report_number(run, "seconds"), seconds, sizeof seconds),
                  star_report_word(run, "program"));
    cli_end_line(text, begin);
}

static void add_pairs(struct star_text *text, const json_t *const run[2], const struct pair *pairs, int count)
{
    if (cli_report_ask.json) {
        star_json_open(text, NULL, '[');
        for (int i = 0; i < count; i++)
            add_json(text, &pairs[i]);
        star_text_add(text, "]\n");
        return;
    }
    add_head(text, run[0]);
    add_head(text, run[1]);
    struct star_table table = STAR_TABLE_OF(columns);
    for (int i = 0; i < count; i++)
        add_row(&table, &pairs[i]);
    star_text_add(text, "\n");
    star_table_write(&table, text);
}

static int compare_runs(const json_t *const run[2])
{
    struct star_rows rows[2] = {{0}};
    struct star_text text = {0};
    struct star_why why;
    int error = star_rows_of(run[0], STAR_ROWS_WITH_REQUESTS, &rows[0], &why);
    if (!error)
        error = star_rows_of(run[1], STAR_ROWS_WITH_REQUESTS, &rows[1], &why);
    struct pair *pairs = error ? NULL : calloc((size_t)(rows[0].count + rows[1].count) + 1, sizeof *pairs);
    if (!error && pairs == NULL)
        error = star_because(&why, STAR_EMEMORY, "out of memory");
    if (!error)
        add_pairs(&text, run, pairs, pair_up(&rows[0], &rows[1], pairs));
    int status = error ? cli_refuse(error, &why) : cli_put(cli_report_ask.output, &text);
    free(pairs);
    star_rows_free(&rows[0]);
    star_rows_free(&rows[1]);
    star_text_free(&text);
    return status;
}

int cli_report_diff(int count, char **words)
{
    json_t *before, *after = NULL;
    (void)count;
    int status = cli_report_of(words[0], &before);
    if (!status)
        status = cli_report_of(words[1], &after);
    if (!status)
        status = compare_runs((const json_t *const[]){before, after});
    json_decref(before);
    json_decref(after);
    return status;
}
