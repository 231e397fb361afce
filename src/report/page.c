/* SPDX-License-Identifier: BSD-3-Clause
 * The page has its pictures and tables in it, and the report as JSON; it runs no script. */
#include "report/page.h"
#include "plot/svg.h"
#include "plot/table.h"
#include "report/confidence.h"
#include "report/items.h"
#include "report/pictures.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
    "th, td { text-align: left; padding: .15rem .7rem .15rem 0; border-bottom: 1px solid " STAR_FAINT "; "
    "white-space: nowrap; vertical-align: top }\n"
    "td.number, th.number { text-align: right } #attention li { color: #9a4a00 }\n"
    ".legend { list-style: none; padding: 0; columns: 3 } .legend b { display: inline-block; width: 1em; "
    "height: .8em }\n"
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
    char seconds[32], date[64] = "?";
    time_t end = (time_t)json_integer_value(json_object_get(report, "date"));
    struct tm parts;
    if (localtime_r(&end, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &parts);
    star_text_add(text, "<h1>startune: report of a run</h1>\n<p><strong>");
    add_word(text, "program", star_item_word(report, "program"));
    star_text_add(text, "</strong> on %.0f ranks, ended %s, ran ", star_item_number(report, "ranks"), date);
    add_word(text, "seconds",
             star_format_seconds(star_item_number(report, "seconds"), seconds, sizeof seconds));
    star_text_add(text, "</p>\n<p class=\"quiet\">");
    star_text_escaped(text, star_item_word(report, "machine"));
    star_text_add(text, " (");
    star_text_escaped(text, star_item_word(report, "mpi"));
    star_text_add(text, "); startune ");
    star_text_escaped(text, star_item_word(report, "startune"));
    if (star_item_number(report, "left_out") > 0)
        star_text_add(text, "; %.0f contexts and requests more had no room",
                      star_item_number(report, "left_out"));
    star_text_add(text, "</p>\n");
}

/* The page's first question: one number, its interval, and a bar of native beside chosen for each context. */
static void add_answer(const json_t *report, const struct star_items *items, struct star_text *text)
{
    double saved = star_item_number(report, "saved_seconds"), run = star_item_number(report, "seconds"),
           low = star_item_number(report, "saved_low_seconds"),
           high = star_item_number(report, "saved_high_seconds");
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
        star_text_add(
            text, "No interval can be given: too few calls of native, or of first functions, were measured.");
    else
        star_text_add(text, "With 95 %% confidence from %s %s to %s %s, tuning included.",
                      star_format_seconds(fabs(low), from, sizeof from), low < 0 ? "lost" : "saved",
                      star_format_seconds(fabs(high), to, sizeof to), high < 0 ? "lost" : "saved");
    star_text_add(text, "</p>\n");
    star_picture_helped(items, text);
    close_section(text);
}

static void add_attention(const struct star_items *items, struct star_text *text)
{
    bool any = false;
    open_section(text, "attention", "Worth your attention");
    for (int i = 0; i < items->count; i++) {
        const json_t *reasons = json_object_get(items->item[i].json, "attention");
        const char *where = star_item_word(items->item[i].json, "where");
        for (size_t r = 0; r < json_array_size(reasons); r++) {
            star_text_add(text, "%s<li>", any ? "" : "<ul>");
            star_text_escaped(text, items->item[i].name);
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

/* ------ Tables */

static void add_bytes(struct star_table *table, const json_t *item, const char *unknown)
{
    const json_t *bytes = json_object_get(item, "bytes");
    char size[32];
    star_table_words(table, "%s",
                     bytes ? star_format_bytes(json_integer_value(bytes), size, sizeof size) : unknown);
}

static void add_attributes(struct star_table *table, const json_t *one)
{
    struct star_text words = {0};
    star_item_attributes(one, &words);
    star_table_words(table, "%s", words.bytes ? words.bytes : "");
    table->failed = table->failed || words.failed;
    star_text_free(&words);
}

static void add_remembered(struct star_table *table, const json_t *request)
{
    const char *function = star_item_word(request, "remembered_function");
    if (json_object_get(request, "remembered_functions") == NULL)
        star_table_words(table, "%s", "");
    else
        star_table_words(table, "%s, %.1f %%", function[0] ? function : "no favourite",
                         100 * star_item_number(request, "remembered_confidence"));
}

/* What tables of contexts and of requests share: from "of run" on, and from the method's time. */
static void add_costs(struct star_table *table, const struct star_item *item)
{
    const json_t *json = item->json;
    star_table_number(table, star_item_number(json, "seconds_per_call"));
    star_table_number(table, star_item_first(item));
    star_table_mark(
        table, json_is_true(json_object_get(json, item->request ? "first_once" : "native_once")) ? '*' : 0);
    star_table_number(table, star_item_number(json, "saved_seconds"));
    star_table_number(table, star_item_number(json, "saved_low_seconds"));
    star_table_number(table, star_item_number(json, "saved_high_seconds"));
    star_table_number(table, star_item_number(json, "tuning_seconds"));
    star_table_number(table, star_item_number(json, "confidence"));
}

static void add_context(struct star_table *table, const struct star_item *item)
{
    const json_t *json = item->json;
    star_table_words(table, "%s", star_item_word(json, "operation"));
    add_bytes(table, json, "varies");
    star_table_number(table, star_item_number(json, "ranks"));
    star_table_number(table, star_item_number(json, "calls"));
    star_table_number(table, star_item_number(json, "share"));
    star_table_words(table, "%s", star_item_word(json, "method"));
    add_costs(table, item);
    star_table_words(table, "%s", star_item_word(json, "where"));
}

static void add_request(struct star_table *table, const struct star_item *item)
{
    const json_t *json = item->json;
    star_table_words(table, "%s", star_item_word(json, "function_set"));
    add_bytes(table, json, "?");
    star_table_number(table, star_item_number(json, "ranks"));
    star_table_number(table, star_item_number(json, "requests"));
    star_table_number(table, star_item_number(json, "calls"));
    star_table_number(table, star_item_number(json, "share"));
    star_table_words(table, "%s", star_item_word(json, "function"));
    add_attributes(table, json);
    add_costs(table, item);
    add_remembered(table, json);
    star_table_words(table, "%s", star_item_word(json, "problem"));
}

static void add_waiting(struct star_table *table, const struct star_item *item)
{
    const json_t *spread = json_object_get(item->json, "ranks_seconds_per_call");
    star_table_words(table, "%s", item->name);
    star_table_number(table, star_item_number(spread, "least"));
    star_table_number(table, star_item_number(spread, "mean"));
    star_table_number(table, star_item_number(spread, "most"));
    star_table_number(table, star_item_number(item->json, "waits"));
}

#define COSTS(one, first)                                                                                    \
    {"seconds_per_call", "its time", STAR_TIMES}, {one, first, STAR_TIMES},                                  \
        {"saved_seconds", "saved", STAR_SIGNED_TIMES}, {"saved_low_seconds", "from", STAR_SIGNED_TIMES},     \
        {"saved_high_seconds", "to", STAR_SIGNED_TIMES}, {"tuning_seconds", "tuning", STAR_TIMES},           \
    {                                                                                                        \
        "confidence", "sure", STAR_SHARES                                                                    \
    }
static const struct star_column of_contexts[] = {{"operation", "operation", STAR_WORDS},
                                                 {"bytes", "bytes", STAR_SIZES},
                                                 {"ranks", "ranks", STAR_COUNTS},
                                                 {"calls", "calls", STAR_COUNTS},
                                                 {"share", "of run", STAR_SHARES},
                                                 {"method", "method", STAR_WORDS},
                                                 COSTS("native_seconds_per_call", "native's"),
                                                 {"where", "called at", STAR_WORDS}};
static const struct star_column of_requests[] = {{"function_set", "function-set", STAR_WORDS},
                                                 {"bytes", "bytes", STAR_SIZES},
                                                 {"ranks", "ranks", STAR_COUNTS},
                                                 {"requests", "requests", STAR_COUNTS},
                                                 {"calls", "calls", STAR_COUNTS},
                                                 {"share", "of run", STAR_SHARES},
                                                 {"function", "function", STAR_WORDS},
                                                 {"attributes", "attributes", STAR_WORDS},
                                                 COSTS("first_seconds_per_call", "first's"),
                                                 {"remembered", "remembered", STAR_WORDS},
                                                 {"problem", "problem", STAR_WORDS}};
#undef COSTS
static const struct star_column of_waits[] = {{"context", "context", STAR_WORDS},
                                              {"least", "least", STAR_TIMES},
                                              {"mean", "mean", STAR_TIMES},
                                              {"most", "most", STAR_TIMES},
                                              {"waits", "waiting, at most", STAR_SHARES}};
static const struct star_column of_others[] = {
    {"operation", "operation", STAR_WORDS}, {"ranks", "ranks", STAR_COUNTS}, {"calls", "calls", STAR_COUNTS}};
/* The last one is of functions alone. */
static const struct star_column of_methods[] = {
    {"method", "method", STAR_WORDS},        {"calls", "calls", STAR_COUNTS},
    {"mean_seconds", "mean", STAR_TIMES},    {"estimate_seconds", "estimate", STAR_TIMES},
    {"samples", "samples", STAR_COUNTS},     {"left_out", "left out", STAR_WORDS},
    {"attributes", "attributes", STAR_WORDS}};
static const struct star_column of_decisions[] = {
    {"at_seconds", "at", STAR_TIMES}, {"call", "call", STAR_COUNTS},
    {"method", "method", STAR_WORDS}, {"stage", "stage", STAR_WORDS},
    {"reason", "reason", STAR_WORDS}, {"mean_seconds", "a call before", STAR_TIMES}};

#define TABLE_OF(columns_of)                                                                                 \
    {                                                                                                        \
        .column = (columns_of), .columns = sizeof(columns_of) / sizeof *(columns_of)                         \
    }

/* A table of the contexts or of the requests that have what MEMBER names. */
static void add_table(const struct star_items *items, bool requests, const char *member,
                      struct star_table table,
                      void (*add)(struct star_table *table, const struct star_item *item),
                      const char *caption, const char *none, struct star_text *text)
{
    int *index = calloc((size_t)items->count + 1, sizeof *index), rows = 0;
    for (int i = 0; index && i < items->count; i++)
        if (items->item[i].request == requests && json_object_get(items->item[i].json, member)) {
            add(&table, &items->item[i]);
            index[rows++] = items->item[i].index;
        }
    if (rows == 0)
        star_text_add(text, "<p>%s</p>\n", none);
    else
        star_table_html(&table, caption, requests ? "request" : "context", index, text);
    text->failed = text->failed || index == NULL;
    free(index);
    star_table_free(&table);
}

static void add_once(const struct star_items *items, bool requests, struct star_text *text)
{
    bool once = false;
    for (int i = 0; i < items->count; i++)
        once = once ||
               (items->item[i].request == requests &&
                json_is_true(json_object_get(items->item[i].json, requests ? "first_once" : "native_once")));
    if (once)
        star_text_add(
            text, "<p class=\"quiet\">* measured once, in few calls, maybe the program's first ones: other "
                  "calls may be faster, and less saved</p>\n");
}

static void add_others(const json_t *report, struct star_text *text)
{
    const json_t *others = json_object_get(report, "others");
    struct star_table table = TABLE_OF(of_others);
    for (size_t i = 0; i < json_array_size(others); i++) {
        const json_t *other = json_array_get(others, i);
        star_table_words(&table, "%s", star_item_word(other, "operation"));
        star_table_number(&table, star_item_number(other, "ranks"));
        star_table_number(&table, star_item_number(other, "calls"));
    }
    if (json_array_size(others) > 0)
        star_table_html(&table, "Calls of further sizes, which have no context", "others", NULL, text);
    star_table_free(&table);
}

static void add_tables(const json_t *report, const struct star_items *items, struct star_text *text)
{
    const struct star_table contexts = TABLE_OF(of_contexts), requests = TABLE_OF(of_requests);
    open_section(text, "contexts", "Calls");
    add_table(items, false, "operation", contexts, add_context,
              "The longest first; times are of one call, on rank 0 of each communicator",
              "The program had none.", text);
    add_once(items, false, text);
    add_others(report, text);
    close_section(text);
    open_section(text, "requests", "Requests");
    add_table(items, true, "function", requests, add_request,
              "The longest first; requests that learn together are one; times are of one run, on rank 0",
              "The program had none.", text);
    add_once(items, true, text);
    close_section(text);
}

static void add_pictures(const json_t *report, const struct star_items *items, struct star_text *text)
{
    const struct star_table waits = TABLE_OF(of_waits);
    open_section(text, "timeline", "What ran when");
    star_picture_timeline(report, items, text);
    close_section(text);
    open_section(text, "sizes", "Sizes");
    star_picture_sizes(report, text);
    close_section(text);
    open_section(text, "ranks", "Communicators");
    star_picture_ranks(report, text);
    close_section(text);
    open_section(text, "waits", "How far ranks are apart");
    add_table(items, false, "ranks_seconds_per_call", waits, add_waiting,
              "Mean times of a call: of the rank that is shortest in it, of all, and of the one that is "
              "longest. Who "
              "comes last is shortest in a call that waits for all.",
              "Not measured: no method was chosen for long enough.", text);
    close_section(text);
}

/* ------ Context by context */

static void add_method(struct star_table *table, const struct star_item *item, const json_t *method)
{
    char *name = star_item_method(item, method);
    star_table_words(table, "%s", name ? name : "");
    free(name);
    star_table_number(table, star_item_number(method, "calls"));
    star_table_number(table, star_item_number(method, "mean_seconds"));
    star_table_number(table, star_item_number(method, "estimate_seconds"));
    star_table_number(table, (double)json_array_size(json_object_get(method, "samples")));
    star_table_words(table, "%s",
                     json_is_true(json_object_get(method, "wrong"))      ? "wrong"
                     : json_is_true(json_object_get(method, "left_out")) ? "yes"
                                                                         : "");
    if (item->request)
        add_attributes(table, method);
}

/* Those of which something is known. */
static void add_methods(const struct star_item *item, struct star_text *text)
{
    const json_t *list = star_item_list(item);
    struct star_table table = TABLE_OF(of_methods);
    int *index = calloc(json_array_size(list) + 1, sizeof *index), tried = 0;
    table.columns -= item->request ? 0 : 1;
    for (int i = 0; index && i < (int)json_array_size(list); i++) {
        const json_t *method = json_array_get(list, (size_t)i);
        if (star_item_number(method, "calls") > 0 || !isnan(star_item_number(method, "estimate_seconds")) ||
            json_array_size(json_object_get(method, "samples")) > 0) {
            add_method(&table, item, method);
            index[tried++] = i;
        }
    }
    if (tried > 0)
        star_table_html(&table, item->request ? "Functions" : "Methods", "of", index, text);
    if (tried < (int)json_array_size(list))
        star_text_add(text, "<p class=\"quiet\">%d more were not tried.</p>\n",
                      (int)json_array_size(list) - tried);
    text->failed = text->failed || index == NULL;
    free(index);
    star_table_free(&table);
}

static void add_decisions(const struct star_item *item, struct star_text *text)
{
    const json_t *history = json_object_get(item->json, "history");
    struct star_table table = TABLE_OF(of_decisions);
    for (size_t i = 0; i < json_array_size(history); i++) {
        const json_t *decision = json_array_get(history, i);
        char *name = star_item_method(item, decision);
        star_table_number(&table, star_item_number(decision, "at_seconds"));
        star_table_number(&table, star_item_number(decision, "call"));
        star_table_words(&table, "%s", name ? name : "");
        free(name);
        star_table_words(&table, "%s", star_item_word(decision, "stage"));
        star_table_words(&table, "%s", star_item_word(decision, "reason"));
        star_table_number(&table, star_item_number(decision, "mean_seconds"));
    }
    star_table_html(&table, "Decisions", "decision", NULL, text);
    star_table_free(&table);
}

static void add_details(const struct star_items *items, struct star_text *text)
{
    enum { OPEN = 3 };
    open_section(text, "methods", "Methods, context by context, and functions, request by request");
    for (int i = 0; i < items->count && i < STAR_ITEMS_DRAWN; i++) {
        const struct star_item *item = &items->item[i];
        star_text_add(text, "<details data-%s=\"%d\"%s><summary>", item->request ? "request" : "context",
                      item->index, i < OPEN ? " open" : "");
        star_text_escaped(text, item->name);
        star_text_add(text, ": ");
        star_text_escaped(text, item->method);
        star_text_add(text, "</summary>\n<h3>Times of each %s's calls</h3>\n",
                      item->request ? "function" : "method");
        star_picture_samples(item, text);
        star_picture_convergence(item, text);
        add_methods(item, text);
        add_decisions(item, text);
        star_text_add(text, "</details>\n");
    }
    if (items->count > STAR_ITEMS_DRAWN)
        star_text_add(text, "<p class=\"quiet\">%d more took less time; the report's JSON has them.</p>\n",
                      items->count - STAR_ITEMS_DRAWN);
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
    struct star_items items;
    if (!star_items_of(report, &items)) {
        text->failed = true;
        return;
    }
    star_text_add(text, "%s", head);
    add_run(report, text);
    add_answer(report, &items, text);
    add_attention(&items, text);
    add_tables(report, &items, text);
    add_pictures(report, &items, text);
    add_details(&items, text);
    add_json(report, text);
    star_items_free(&items);
}
