/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "format.h"
#include "matrix.h"
#include "report/confidence.h"
#include "report/page.h"
#include "report/rows.h"
#include "report/tables.h"
#include "runs.h"
#include "site.h"
#include "util/text.h"
#include "util/why.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 40 };

static void add_head(struct star_text *text, const json_t *report)
{
    char seconds[32], saved[40], low[40], high[40];
    double least = star_report_number(report, "saved_low_seconds"),
           most = star_report_number(report, "saved_high_seconds");
    size_t begin = text->length;
    star_text_add(text, "%s  %s", star_report_date(report).text, star_report_word(report, "program"));
    cli_end_line(text, begin);
    begin = text->length;
    star_text_add(text, "%s, %lld ranks, %s", star_report_word(report, "machine"),
                  cli_count_of(report, "ranks"),
                  cli_seconds_of(star_report_number(report, "seconds"), seconds, sizeof seconds));
    cli_end_line(text, begin);
    star_text_add(text, "did it help? %s: %s", star_report_helped(report),
                  cli_signed_seconds(star_report_number(report, "saved_seconds"), saved, sizeof saved));
    if (!isnan(least))
        star_text_add(text, ", from %s to %s with 95 %% confidence",
                      cli_signed_seconds(least, low, sizeof low),
                      cli_signed_seconds(most, high, sizeof high));
    star_text_add(text, "\n");
    star_text_add(text, "\n");
}

static void add_attention(struct star_text *text, const struct star_rows *rows)
{
    bool any = false;
    for (int i = 0; i < rows->count; i++) {
        const json_t *reasons = json_object_get(rows->row[i].json, "attention");
        star_name name;
        star_row_name(&rows->row[i], name);
        for (size_t r = 0; r < json_array_size(reasons); r++) {
            star_text_add(text, "%s", any ? "" : "\nWorth your attention:\n");
            size_t begin = text->length;
            star_text_add(text, "%s%s%s: %s", name, rows->row[i].where[0] ? ", at " : "", rows->row[i].where,
                          json_string_value(json_array_get(reasons, r)));
            cli_end_line(text, begin);
            any = true;
        }
    }
}

static void add_left_out(struct star_text *text, const json_t *report)
{
    struct star_table others = star_table_of_others(report), nonblocking = star_table_of_nonblocking(report);
    long long left_out = cli_count_of(report, "left_out");
    if (others.count > 0)
        star_text_add(
            text,
            "\nnot told one by one, as each took less than 1 %% of the run, or by the setting sizes:\n");
    star_table_write(&others, text);
    if (nonblocking.count > 0)
        star_text_add(text, "\n");
    star_table_write(&nonblocking, text);
    if (left_out > 0)
        star_text_add(text, "%lld contexts and requests more had no room in the report\n", left_out);
}

/* A table of contexts or requests, the longest first. */
static void add_rows(struct star_text *text, const struct star_rows *rows, bool requests, int most)
{
    struct star_table table = star_table_of_rows(rows, requests, most, NULL);
    int all = 0;
    for (int i = 0; i < rows->count; i++)
        all += rows->row[i].request == requests;
    star_table_write(&table, text);
    star_tables_say_once(rows, requests, text);
    if (all > most)
        star_text_add(text, "and %d more; --all shows them\n", all - most);
}

/* What each request's functions took. */
static void add_functions(struct star_text *text, const struct star_rows *rows)
{
    for (int i = 0; i < rows->count; i++) {
        star_name name;
        if (!rows->row[i].request)
            continue;
        struct star_table table = star_table_of_methods(&rows->row[i], NULL);
        size_t begin = text->length + 1;
        star_row_name(&rows->row[i], name);
        star_text_add(text, "\n%s", name);
        cli_end_line(text, begin);
        star_table_write(&table, text);
    }
}

static int add_text(struct star_text *text, const json_t *report, struct star_why *why)
{
    struct star_rows rows, each; /* those that are alike as one, and each alone */
    bool any = json_array_size(json_object_get(report, "requests")) > 0;
    int most = cli_report_ask.all ? INT_MAX : ROWS_MOST;
    int error = star_rows_of(report, STAR_ROWS_BY_METHOD | STAR_ROWS_BY_PLACE, &rows, why);
    if (error)
        return error;
    error = star_rows_of(report, STAR_ROWS_WITH_REQUESTS | STAR_ROWS_APART, &each, why);
    add_head(text, report);
    if (rows.count == 0 && !any)
        star_text_add(text, "nothing was tuned\n");
    add_rows(text, &rows, false, most);
    add_left_out(text, report);
    star_text_add(text, any ? "\n" : "");
    if (!error)
        add_rows(text, &each, true, most);
    if (!error && cli_report_ask.all)
        add_functions(text, &each);
    add_attention(text, &each);
    star_rows_free(&rows);
    star_rows_free(&each);
    return error;
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
    if (cli_report_ask.site)
        return cli_report_site(count, words);
    if (count > 1)
        return cli_error("report takes fewer words: diff compares two runs, --site adds stores up; startune "
                         "report --help says how");
    if (cli_report_ask.html && cli_report_ask.json)
        return cli_error("--html and --json: one of them");
    if (cli_report_ask.as != NULL && (!cli_report_ask.matrix || cli_report_ask.json))
        return cli_error("--as is a format of --matrix, and there is --json instead of it");
    if (cli_report_ask.html && cli_report_ask.matrix)
        return cli_error("--html has the matrix in it: leave --matrix out");
    int error = 0, status = cli_report_of(count > 0 ? words[0] : NULL, &report);
    if (status)
        return status;
    if (cli_report_ask.matrix)
        error = cli_report_add_matrix(&text, report, &why);
    else if (cli_report_ask.json)
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
