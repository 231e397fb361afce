/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "format.h"
#include "plot/table.h"
#include "report/confidence.h"
#include "report/page.h"
#include "report/rows.h"
#include "requests.h"
#include "runs.h"
#include "util/text.h"
#include "util/why.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 40 };

static const struct star_column columns[] = {
    {"operation", "operation", STAR_WORDS}, {"bytes", "bytes", STAR_SIZES},
    {"ranks", "ranks", STAR_SIZES},         {"calls", "calls", STAR_COUNTS},
    {"share", "of run", STAR_SHARES},       {"method", "method", STAR_WORDS},
    {"chosen", "its time", STAR_TIMES},     {"native", "native's", STAR_TIMES},
    {"saved", "saved", STAR_SIGNED_TIMES},  {"tuning", "tuning", STAR_TIMES},
    {"confidence", "sure", STAR_SIZES},     {"where", "called at", STAR_WORDS}};

static void add_row(struct star_table *table, const struct star_row *row)
{
    char bytes[32], sure[16];
    bool known = !isnan(row->native);
    star_table_words(table, "%s", row->operation);
    star_table_words(table, "%s", cli_bytes_of(row->bytes, bytes, sizeof bytes));
    star_table_words(table, row->contexts > 1 ? "%lld x%d" : "%lld", (long long)row->ranks, row->contexts);
    star_table_number(table, (double)row->calls);
    star_table_number(table, row->share);
    star_table_words(table, "%s", row->method);
    star_table_number(table, row->chosen);
    star_table_number(table, row->native);
    star_table_mark(table, row->native_once ? '*' : 0);
    star_table_number(table, known ? row->saved : NAN);
    star_table_number(table, known ? row->tuning : NAN);
    star_table_words(table, "%s", cli_sure(row->confidence, sure, sizeof sure));
    star_table_words(table, "%s%s", row->where, row->in_place ? ", in place" : "");
}

static void add_head(struct star_text *text, const json_t *report)
{
    char seconds[32], saved[40], low[40], high[40];
    double least = cli_number_of(report, "saved_low_seconds"),
           most = cli_number_of(report, "saved_high_seconds");
    size_t begin = text->length;
    star_text_add(text, "%s  %s", cli_date_of(report).text, cli_word_of(report, "program"));
    cli_end_line(text, begin);
    begin = text->length;
    star_text_add(text, "%s, %lld ranks, %s", cli_word_of(report, "machine"), cli_count_of(report, "ranks"),
                  cli_seconds_of(cli_number_of(report, "seconds"), seconds, sizeof seconds));
    cli_end_line(text, begin);
    star_text_add(text, "did it help? %s: %s", star_report_helped(report),
                  cli_signed_seconds(cli_number_of(report, "saved_seconds"), saved, sizeof saved));
    if (!isnan(least))
        star_text_add(text, ", from %s to %s with 95 %% confidence",
                      cli_signed_seconds(least, low, sizeof low),
                      cli_signed_seconds(most, high, sizeof high));
    star_text_add(text, "\n");
    star_text_add(text, "\n");
}

/* Reasons of contexts or requests, whose name is the member NAME. */
static void add_reasons(struct star_text *text, const json_t *list, const char *name, bool *any)
{
    char bytes[32];
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i), *reasons = json_object_get(item, "attention"),
                     *size = json_object_get(item, "bytes"), *where = json_object_get(item, "where");
        for (size_t r = 0; r < json_array_size(reasons); r++) {
            star_text_add(text, "%s", *any ? "" : "\nWorth your attention:\n");
            size_t begin = text->length;
            star_text_add(text, "%s %s%s%s: %s", cli_word_of(item, name),
                          cli_bytes_of(size ? json_integer_value(size) : -1, bytes, sizeof bytes),
                          where ? " at " : "", where ? json_string_value(where) : "",
                          json_string_value(json_array_get(reasons, r)));
            cli_end_line(text, begin);
            *any = true;
        }
    }
}

static void add_attention(struct star_text *text, const json_t *report)
{
    bool any = false;
    add_reasons(text, json_object_get(report, "contexts"), "operation", &any);
    add_reasons(text, json_object_get(report, "requests"), "function_set", &any);
}

static void add_left_out(struct star_text *text, const json_t *report)
{
    const json_t *others = json_object_get(report, "others");
    long long left_out = cli_count_of(report, "left_out");
    for (size_t i = 0; i < json_array_size(others); i++) {
        const json_t *other = json_array_get(others, i);
        size_t begin = text->length;
        star_text_add(text, "%-15s  others %7lld %9lld  calls of further sizes (setting sizes)",
                      cli_word_of(other, "operation"), cli_count_of(other, "ranks"),
                      cli_count_of(other, "calls"));
        cli_end_line(text, begin);
    }
    if (left_out > 0)
        star_text_add(text, "%lld contexts and requests more had no room in the report\n", left_out);
}

static int add_text(struct star_text *text, const json_t *report, struct star_why *why)
{
    struct star_rows rows;
    int error = star_rows_of(report, STAR_ROWS_BY_METHOD | STAR_ROWS_BY_PLACE, &rows, why);
    if (error)
        return error;
    add_head(text, report);
    if (rows.count == 0 && json_array_size(json_object_get(report, "requests")) == 0)
        star_text_add(text, "nothing was tuned\n");
    int most = cli_report_ask.all ? INT_MAX : ROWS_MOST, shown = rows.count < most ? rows.count : most;
    bool once = false;
    struct star_table table = {.column = columns, .columns = sizeof columns / sizeof *columns};
    for (int i = 0; i < shown; i++) {
        add_row(&table, &rows.row[i]);
        once = once || rows.row[i].native_once;
    }
    if (rows.count > 0)
        star_table_write(&table, text);
    star_table_free(&table);
    if (once)
        cli_add_once(text);
    if (shown < rows.count)
        star_text_add(text, "and %d more; --all shows them\n", rows.count - shown);
    add_left_out(text, report);
    cli_report_requests(text, report, most, cli_report_ask.all);
    add_attention(text, report);
    star_rows_free(&rows);
    return 0;
}

static void add_json(struct star_text *text, const json_t *report)
{
    char *json = json_dumps(report, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    if (json == NULL)
        text->failed = true;
    else
        star_text_add(text, "%s\n", json);
    free(json);
}

int cli_report_show(int count, char **words)
{
    json_t *report;
    struct star_text text = {0};
    struct star_why why;
    if (cli_report_ask.html && cli_report_ask.json)
        return cli_error("--html and --json: one of them");
    int error = 0, status = cli_report_of(count > 0 ? words[0] : NULL, &report);
    if (status)
        return status;
    if (cli_report_ask.json)
        add_json(&text, report);
    else if (cli_report_ask.html)
        star_report_page(report, &text);
    else
        error = add_text(&text, report, &why);
    status = error ? cli_refuse(error, &why) : cli_put(cli_report_ask.output, &text);
    star_text_free(&text);
    json_decref(report);
    return status;
}
