/* SPDX-License-Identifier: BSD-3-Clause
 * What follows from a report: it is added to it, under keys of its own. */
#include "report/explain.h"
#include "algorithms/method.h"
#include "report/confidence.h"
#include "report/lines.h"
#include "util/parse.h"
#include "util/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is worth a person's attention is said of contexts that take this share of the run, or more. */
static const double worth = 0.01;

const json_t *star_report_chosen(const json_t *item)
{
    const json_t *functions = json_object_get(item, "functions"),
                 *list = functions ? functions : json_object_get(item, "methods");
    const char *key = functions ? "function" : "method";
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (json_equal(json_object_get(one, key), json_object_get(item, key)) &&
            (functions == NULL ||
             json_equal(json_object_get(one, "attributes"), json_object_get(item, "attributes"))))
            return one;
    }
    return NULL;
}

/* ------ Contexts */

/* Of a list of methods or functions the first one, which is native or stands in its place, or, of that one
 * itself, the fastest of the others. */
static const json_t *rival_of(const json_t *list, const json_t *chosen)
{
    const json_t *best = NULL;
    double least = INFINITY;
    if (chosen != json_array_get(list, 0))
        return json_array_get(list, 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *time = json_object_get(one, "estimate_seconds");
        if (one == chosen || !json_is_number(time) || json_number_value(time) >= least)
            continue;
        least = json_number_value(time);
        best = one;
    }
    return best;
}

static bool ranks_are_alike(const char *operation)
{
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (strcmp(star_operations[i].name, operation) == 0)
            return star_operation_awaits_all((enum star_operation)i);
    return false;
}

double star_report_waits(const json_t *context)
{
    const json_t *spread = json_object_get(context, "ranks_seconds_per_call");
    double mean = json_number_value(json_object_get(spread, "mean")),
           least = json_number_value(json_object_get(spread, "least"));
    if (!ranks_are_alike(json_string_value(json_object_get(context, "operation"))) || !(mean > 0))
        return NAN;
    return least > 0 && least < mean ? 1 - least / mean : 0;
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void add_reason(json_t *reasons, const char *format, double value)
{
    char text[200];
    snprintf(text, sizeof text, format, value);
    json_array_append_new(reasons, json_string(text));
}

/* What it cost, beside what FIRST alone would have. */
static void add_cost(json_t *reasons, const json_t *item, const char *first, double run)
{
    char format[100];
    double saved = json_number_value(json_object_get(item, "saved_seconds"));
    snprintf(format, sizeof format, "it cost %%.1f %%%% of the run more than %s alone would have", first);
    if (run > 0 && saved < -worth * run)
        add_reason(reasons, format, -100 * saved / run);
}

/* "; 4 ranks share 2 processors there", where that is so by MACHINE. */
static void add_shared_processors(struct star_text *text, const char *machine)
{
    const char *placed = machine != NULL ? strstr(machine, "; ranks a node ") : NULL;
    int ranks, processors;
    if (placed != NULL && sscanf(placed, "; ranks a node %d; processors %d", &ranks, &processors) == 2 &&
        ranks > processors)
        star_text_add(text, "; %d ranks share %d processor%s, where some must be late", ranks, processors,
                      processors == 1 ? "" : "s");
}

/* Of few calls the first ones tell most, and these are late for many reasons. */
static void add_late_ranks(json_t *reasons, const json_t *context, const char *machine)
{
    enum { CALLS_LEAST = 100 };
    const json_t *spread = json_object_get(context, "ranks_seconds_per_call");
    json_int_t calls = json_integer_value(json_object_get(spread, "calls"));
    double waits = star_report_waits(context), mean = json_number_value(json_object_get(spread, "mean"));
    struct star_text text = {0};
    char late[32];
    if (calls < CALLS_LEAST || !(waits >= 0.3))
        return;
    star_text_add(
        &text,
        "late ranks: in %lld timed calls up to %.0f %% of ranks' time, %s a call, passes before the last "
        "one comes, which no algorithm mends",
        (long long)calls, 100 * waits, star_format_seconds(waits * mean, late, sizeof late));
    add_shared_processors(&text, machine);
    if (!text.failed)
        json_array_append_new(reasons, json_string(text.bytes));
    star_text_free(&text);
}

static void add_attention(json_t *context, double share, double run, const char *machine)
{
    json_t *reasons = json_array();
    if (share >= worth)
        add_late_ranks(reasons, context, machine);
    add_cost(reasons, context, "native", run);
    json_object_set_new(context, "attention", reasons);
}

/* TEXT, or, where that is no UTF-8, with question marks in it: file names may be anything. */
static json_t *readable(const char *text)
{
    char ascii[560];
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    snprintf(ascii, sizeof ascii, "%s", text);
    for (char *byte = ascii; *byte != 0; byte++)
        if ((unsigned char)*byte > 127)
            *byte = '?';
    return json_string(ascii);
}

static void add_place(json_t *context, struct star_lines *lines, int64_t date)
{
    const char *caller = json_string_value(json_object_get(context, "caller")),
               *module = json_string_value(json_object_get(context, "module")), *plus = strrchr(caller, '+');
    struct star_line line;
    char where[560];
    uint64_t offset = plus ? strtoull(plus + 1, NULL, 16) : 0;
    snprintf(where, sizeof where, "%.300s", caller);
    if (module != NULL && star_lines_find(lines, module, offset, date, &line)) {
        const char *slash = strrchr(line.file, '/'), *function = line.function[0] ? line.function : caller;
        if (line.line > 0)
            snprintf(where, sizeof where, "%.200s (%s:%d)", function, slash ? slash + 1 : line.file,
                     line.line);
        else
            snprintf(where, sizeof where, "%.200s (%.300s)", function, caller);
        if (line.function[0])
            json_object_set_new(context, "function", readable(line.function));
        if (line.line > 0) {
            json_object_set_new(context, "file", readable(line.file));
            json_object_set_new(context, "line", json_integer(line.line));
        }
    }
    json_object_set_new(context, "where", readable(where));
}

/* Reports of earlier versions have no interval of what was saved. */
static void complete_interval(json_t *item)
{
    static const char *const ends[] = {"saved_low_seconds", "saved_high_seconds"};
    for (size_t i = 0; i < 2 && json_object_get(item, "saved_seconds") != NULL; i++)
        if (json_object_get(item, ends[i]) == NULL)
            json_object_set_new(item, ends[i], json_null());
}

/* Of a context or a request, of whose LIST one was chosen; its share of the run. */
static double add_figures(json_t *item, const json_t *list, double run)
{
    const json_t *chosen = star_report_chosen(item);
    complete_interval(item);
    const json_t *rival = rival_of(list, chosen), *mean = json_object_get(chosen, "mean_seconds");
    double seconds = json_number_value(json_object_get(item, "seconds")), share = run > 0 ? seconds / run : 0;
    json_object_set_new(item, "share", number_or_null(share));
    json_object_set_new(item, "seconds_per_call",
                        number_or_null(json_is_number(mean) ? json_number_value(mean) : NAN));
    json_object_set_new(item, "confidence",
                        number_or_null(chosen && rival ? star_report_confidence(chosen, rival) : NAN));
    return share;
}

static void explain(json_t *context, double run, const char *machine)
{
    double share = add_figures(context, json_object_get(context, "methods"), run);
    json_object_set_new(context, "waits", number_or_null(star_report_waits(context)));
    add_attention(context, share, run, machine);
}

/* ------ Requests */

static void explain_request(json_t *request, double run)
{
    json_t *reasons = json_array();
    add_figures(request, json_object_get(request, "functions"), run);
    add_cost(reasons, request, "its first function", run);
    json_object_set_new(request, "attention", reasons);
}

int star_report_explain(json_t *report, struct star_why *why)
{
    json_t *contexts = json_object_get(report, "contexts"), *requests = json_object_get(report, "requests");
    double run = json_number_value(json_object_get(report, "seconds"));
    const char *machine = json_string_value(json_object_get(report, "machine"));
    int64_t date = json_integer_value(json_object_get(report, "date"));
    struct star_lines *lines = star_lines_new();
    bool whole = true;
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        json_t *context = json_array_get(contexts, i);
        explain(context, run, machine);
        add_place(context, lines, date);
        whole = whole && json_object_get(context, "attention") && json_object_get(context, "where");
    }
    star_lines_free(lines);
    for (size_t i = 0; i < json_array_size(requests); i++) {
        explain_request(json_array_get(requests, i), run);
        whole = whole && json_object_get(json_array_get(requests, i), "attention");
    }
    complete_interval(report);
    return whole ? 0 : star_because(why, STAR_EMEMORY, "out of memory");
}
