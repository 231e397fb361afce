/* SPDX-License-Identifier: BSD-3-Clause
 * The page has its pictures and tables in it, and the report as JSON; it runs no script. */
#include "report/page.h"
#include "plot/svg.h"
#include "report/confidence.h"
#include "report/heat.h"
#include "report/pictures.h"
#include "report/tables.h"
#include "util/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<!-- SPDX-License-Identifier: BSD-3-Clause -->\n<html lang=\"en\">\n<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>startune: report of a run</title>\n<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; color: " STAR_INK
    "; margin: 1.5rem auto; max-width: 80rem; padding: 0 1rem }\n"
    "h2 { margin-top: 2.2rem } h3 { margin: 1.2rem 0 .3rem; font-size: 1rem }\n"
    ".quiet, caption { color: " STAR_QUIET
    "; text-align: left } .answer { font-size: 1.6rem; margin: .3rem 0 }\n"
    ".scroll { overflow-x: auto } svg { max-width: 100%; height: auto; display: block }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }\n"
    "th, td { text-align: left; padding: .15rem .6rem .15rem 0; border-bottom: 1px solid " STAR_FAINT "; "
    "white-space: nowrap; vertical-align: top }\n"
    "td.number, th.number { text-align: right } #attention li { color: "
    "#9a4a00 }\n"
    "summary { cursor: pointer; padding: .3rem 0 }\n</style>\n</head>\n<body>\n<main>\n";

/* Between elements, and in them. */
static void add_word(struct star_text *text, const char *id, const char *words)
{
    star_text_add(text, "<span id=\"%s\">", id);
    star_text_escaped(text, words);
    star_text_add(text, "</span>");
}

static void open_section(struct star_text *text, const char *id, const char *title)
{
    star_text_add(text, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

static void close_section(struct star_text *text)
{
    star_text_add(text, "</section>\n");
}

static void add_run(const json_t *report, struct star_text *text)
{
    char seconds[32];
    star_text_add(text, "<h1>startune: report of a run</h1>\n<p><strong>");
    add_word(text, "program", star_report_word(report, "program"));
    star_text_add(text, "</strong> on %.0f ranks, ended %s, ran ", star_report_number(report, "ranks"),
                  star_report_date(report).text);
    add_word(text, "seconds",
             star_format_seconds(star_report_number(report, "seconds"), seconds, sizeof seconds));
    star_text_add(text, "</p>\n<p class=\"quiet\">");
    star_text_escaped(text, star_report_word(report, "machine"));
    star_text_add(text, " (");
    star_text_escaped(text, star_report_word(report, "mpi"));
    star_text_add(text, "); startune ");
    star_text_escaped(text, star_report_word(report, "startune"));
    if (star_report_number(report, "left_out") > 0)
        star_text_add(text, "; %.0f contexts and requests more had no room",
                      star_report_number(report, "left_out"));
    star_text_add(text, "</p>\n");
}

/* The page's first question: one number, its interval, and a bar of native beside chosen for each context. */
static void add_answer(const json_t *report, const struct star_rows *rows, struct star_text *text)
{
    double saved = star_report_number(report, "saved_seconds"), run = star_report_number(report, "seconds"),
           low = star_report_number(report, "saved_low_seconds"),
           high = star_report_number(report, "saved_high_seconds");
    char size[32], from[32], to[32];
    open_section(text, "help", "Did it help?");
    star_text_add(text,
                  "<p class=\"answer\">%s: <strong id=\"saved\" data-value=\"%.9g\">%s</strong> %s, %.1f %% "
                  "of the run</p>\n<p id=\"interval\">",
                  strcmp(star_report_helped(report), "yes") == 0  ? "Yes"
                  : strcmp(star_report_helped(report), "no") == 0 ? "No"
                                                                  : "Not clear",
                  saved, star_format_seconds(fabs(saved), size, sizeof size), saved < 0 ? "lost" : "saved",
                  run > 0 ? 100 * fabs(saved) / run : 0);
    if (isnan(low))
        star_text_add(text, "No interval can be given: the report is of an earlier version.");
    else
        star_text_add(text, "With 95 %% confidence from %s %s to %s %s, tuning included.",
                      star_format_seconds(fabs(low), from, sizeof from), low < 0 ? "lost" : "saved",
                      star_format_seconds(fabs(high), to, sizeof to), high < 0 ? "lost" : "saved");
    star_text_add(text, "</p>\n");
    star_picture_helped(rows, text);
    close_section(text);
}

static void add_attention(const struct star_rows *rows, struct star_text *text)
{
    bool any = false;
    open_section(text, "attention", "Worth your attention");
    for (int i = 0; i < rows->count; i++) {
        const json_t *reasons = json_object_get(rows->row[i].json, "attention");
        const char *where = rows->row[i].where;
        star_name name;
        star_row_name(&rows->row[i], name);
        for (size_t r = 0; r < json_array_size(reasons); r++) {
            star_text_add(text, "%s<li>", any ? "" : "<ul>");
            star_text_escaped(text, name);
            star_text_add(text, "%s", where[0] ? ", at " : "");
            star_text_escaped(text, where);
            star_text_add(text, ": ");
            star_text_escaped(text, json_string_value(json_array_get(reasons, r)));
            star_text_add(text, "</li>\n");
            any = true;
        }
    }
    star_text_add(text, any ? "</ul>\n"
                            : "<p>Nothing: ranks wait little for each other, and tuning cost little.</p>\n");
    close_section(text);
}

/* ------ Tables and pictures */

static void add_table(struct star_table table, const char *caption, const char *row, const int *index,
                      const char *none, struct star_text *text)
{
    if (table.count > 0 || table.failed)
        star_table_html(&table, caption, row, index, text);
    else
        star_text_add(text, "<p>%s</p>\n", none);
}

static void add_tables(const json_t *report, const struct star_rows *rows, int *index, struct star_text *text)
{
    open_section(text, "contexts", "Calls");
    add_table(star_table_of_rows(rows, false, rows->count, index),
              "The longest first; times are of one call, on rank 0 of each communicator", "context", index,
              json_array_size(json_object_get(report, "others")) > 0 ? "None is told one by one."
                                                                     : "The program had none.",
              text);
    star_text_add(text, "<p class=\"quiet\">");
    star_tables_say_once(rows, false, text);
    star_text_add(text, "</p>");
    if (json_array_size(json_object_get(report, "nonblocking")) > 0)
        add_table(star_table_of_nonblocking(report), "Short calls within a node, by shared memory or not",
                  "nonblocking", NULL, "", text);
    if (json_array_size(json_object_get(report, "others")) > 0)
        add_table(star_table_of_others(report), "Calls that are not told one by one", "others", NULL, "",
                  text);
    close_section(text);
    open_section(text, "requests", "Requests");
    add_table(star_table_of_rows(rows, true, rows->count, index),
              "The longest first; requests that learn together are one; times are of one run, on rank 0",
              "request", index, "The program had none.", text);
    star_text_add(text, "<p class=\"quiet\">");
    star_tables_say_once(rows, true, text);
    star_text_add(text, "</p>");
    close_section(text);
}

/* Where it was counted. */
static void add_matrix(const json_t *report, struct star_text *text)
{
    struct star_talk talk;
    if (star_talk_of(report, "the report", &talk, NULL))
        return;
    open_section(text, "matrix", "Who talks to whom");
    star_heat_svg(&talk, text);
    close_section(text);
    star_talk_free(&talk);
}

static void add_pictures(const json_t *report, const struct star_rows *rows, int *index,
                         struct star_text *text)
{
    open_section(text, "timeline", "What ran when");
    star_picture_timeline(report, rows, text);
    close_section(text);
    open_section(text, "sizes", "Sizes");
    star_picture_sizes(report, text);
    close_section(text);
    open_section(text, "ranks", "Communicators");
    star_picture_ranks(report, text);
    close_section(text);
    add_matrix(report, text);
    open_section(text, "waits", "How far ranks are apart");
    add_table(star_table_of_waits(rows, index),
              "Mean times of a call: of the rank that is shortest in it, of all, and of the one that is "
              "longest. Who "
              "comes last is shortest in a call that waits for all.",
              "context", index, "Not measured: no method was chosen for long enough.", text);
    close_section(text);
}

static void add_methods(const struct star_row *row, struct star_text *text)
{
    int all = (int)json_array_size(star_row_list(row)), *index = calloc((size_t)all + 1, sizeof *index);
    text->failed = text->failed || index == NULL;
    struct star_table table = star_table_of_methods(row, index);
    int untried = all - star_table_rows(&table);
    add_table(table, row->request ? "Functions" : "Methods", "of", index, "", text);
    if (untried > 0)
        star_text_add(text, "<p class=\"quiet\">%d more were not tried.</p>\n", untried);
    free(index);
}

static void add_details(const struct star_rows *rows, struct star_text *text)
{
    enum { OPEN = 3 };
    open_section(text, "methods", "Methods, context by context, and functions, request by request");
    for (int i = 0; i < rows->count && i < STAR_ROWS_DRAWN; i++) {
        const struct star_row *row = &rows->row[i];
        star_name name, method;
        star_row_name(row, name);
        star_row_method(row, row->json, method);
        star_text_add(text, "<details data-%s=\"%d\"%s><summary>", row->request ? "request" : "context",
                      row->index, i < OPEN ? " open" : "");
        star_text_escaped(text, name);
        star_text_add(text, ": ");
        star_text_escaped(text, method);
        star_text_add(text, "</summary>\n<h3>Times of each %s's calls</h3>\n",
                      row->request ? "function" : "method");
        star_picture_samples(row, text);
        star_picture_convergence(row, text);
        add_methods(row, text);
        add_table(star_table_of_decisions(row), "Decisions", "decision", NULL, "Nothing was decided.", text);
        star_text_add(text, "</details>\n");
    }
    if (rows->count > STAR_ROWS_DRAWN)
        star_text_add(text, "<p class=\"quiet\">%d more took less time; the report's JSON has them.</p>\n",
                      rows->count - STAR_ROWS_DRAWN);
    close_section(text);
}

/* In a script, only '<' could be taken for something else than JSON. */
static void add_json(const json_t *report, struct star_text *text)
{
    char *json = json_dumps(report, JSON_COMPACT | JSON_REAL_PRECISION(9));
    star_text_add(text, "</main>\n<script type=\"application/json\" id=\"report\">");
    for (const char *c = json ? json : ""; *c; c++)
        if (*c == '<')
            star_text_add(text, "\\u003c");
        else
            star_text_append(text, c, 1);
    star_text_add(text, "</script>\n</body>\n</html>\n");
    text->failed = text->failed || json == NULL;
    free(json);
}

void star_report_page(const json_t *report, struct star_text *text)
{
    struct star_rows rows = {0};
    int error = star_rows_of(report, STAR_ROWS_WITH_REQUESTS | STAR_ROWS_APART, &rows, NULL);
    int *index = calloc((size_t)rows.count + 1, sizeof *index);
    text->failed = text->failed || error || index == NULL;
    if (!text->failed) {
        star_text_add(text, "%s", head);
        add_run(report, text);
        add_answer(report, &rows, text);
        add_attention(&rows, text);
        add_tables(report, &rows, index, text);
        add_pictures(report, &rows, index, text);
        add_details(&rows, text);
        add_json(report, text);
    }
    free(index);
    star_rows_free(&rows);
}
