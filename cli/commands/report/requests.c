/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"
#include "cli/common/output.h"
#include "format.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "mapping pair, data pack" */
static void add_attributes(struct star_text *text, const json_t *of)
{
    const char *name, *between = "";
    json_t *value;
    json_object_foreach(json_object_get(of, "attributes"), name, value)
    {
        star_text_add(text, "%s%s %s", between, name, json_string_value(value));
        between = ", ";
    }
}

/* "; remembered: sendrecv, 94 %" */
static void add_remembered(struct star_text *text, const json_t *request)
{
    const char *function = cli_word_of(request, "remembered_function");
    char sure[16];
    if (cli_count_of(request, "remembered_functions") == 0)
        return;
    star_text_add(text, "; remembered: %s, %s", function ? function : "no favourite",
                  cli_sure(cli_number_of(request, "remembered_confidence"), sure, sizeof sure));
}

/* Of all functions, where all is asked for. */
static void add_functions(struct star_text *text, const json_t *request)
{
    const json_t *functions = json_object_get(request, "functions");
    for (size_t i = 0; i < json_array_size(functions); i++) {
        const json_t *function = json_array_get(functions, i);
        char mean[32], estimate[32];
        size_t begin = text->length;
        if (json_is_null(json_object_get(function, "estimate_seconds")) &&
            cli_count_of(function, "calls") == 0)
            continue;
        star_text_add(text, "%33s %9lld %9s  %-28s %9s  ", "", cli_count_of(function, "calls"), "",
                      cli_word_of(function, "function"),
                      cli_seconds_of(cli_number_of(function, "mean_seconds"), mean, sizeof mean));
        star_text_add(text, "%9s by samples%s  ",
                      cli_seconds_of(cli_number_of(function, "estimate_seconds"), estimate, sizeof estimate),
                      json_is_true(json_object_get(function, "left_out")) ? ", left out" : "");
        add_attributes(text, function);
        cli_end_line(text, begin);
    }
}

static bool is_once(const json_t *request)
{
    return json_is_true(json_object_get(request, "first_once"));
}

static void add_request(struct star_text *text, const json_t *request, bool all)
{
    const json_t *size = json_object_get(request, "bytes");
    char bytes[32], ranks[40], mean[32], first[40], saved[40], tuning[32], sure[16];
    long long requests = cli_count_of(request, "requests");
    size_t begin = text->length;
    snprintf(first, sizeof first, "%s%s",
             cli_seconds_of(cli_number_of(request, "first_seconds_per_call"), mean, sizeof mean),
             is_once(request) ? "*" : "");
    snprintf(ranks, sizeof ranks, requests > 1 ? "%lld x%lld" : "%lld", cli_count_of(request, "ranks"),
             requests);
    star_text_add(text, "%-15.15s %7s %9s %9lld %6.1f %%  %-28s %9s %9s %10s %9s %6s  ",
                  cli_word_of(request, "function_set"),
                  size ? cli_bytes_of(json_integer_value(size), bytes, sizeof bytes) : "?", ranks,
                  cli_count_of(request, "calls"), 100 * cli_number_of(request, "share"),
                  cli_word_of(request, "function"),
                  cli_seconds_of(cli_number_of(request, "seconds_per_call"), mean, sizeof mean), first,
                  cli_signed_seconds(cli_number_of(request, "saved_seconds"), saved, sizeof saved),
                  cli_seconds_of(cli_number_of(request, "tuning_seconds"), tuning, sizeof tuning),
                  cli_sure(cli_number_of(request, "confidence"), sure, sizeof sure));
    add_attributes(text, request);
    add_remembered(text, request);
    cli_end_line(text, begin);
    if (all)
        add_functions(text, request);
}

static int by_seconds(const void *a, const void *b)
{
    double x = cli_number_of(*(json_t *const *)a, "seconds"),
           y = cli_number_of(*(json_t *const *)b, "seconds");
    return (x < y) - (x > y);
}

void cli_report_requests(struct star_text *text, const json_t *report, int most, bool all)
{
    const json_t *requests = json_object_get(report, "requests");
    size_t count = json_array_size(requests);
    const json_t **sorted = count > 0 ? calloc(count, sizeof(json_t *)) : NULL;
    if (sorted == NULL) {
        text->failed = text->failed || count > 0;
        return;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = json_array_get(requests, i);
    qsort((void *)sorted, count, sizeof(json_t *), by_seconds);
    star_text_add(text, "\n%-15s %7s %9s %9s %8s  %-28s %9s %9s %10s %9s %6s  %s\n", "request", "bytes",
                  "ranks", "calls", "of run", "function", "its time", "first's", "saved", "tuning", "sure",
                  "attributes");
    bool once = false;
    for (size_t i = 0; i < count && i < (size_t)most; i++) {
        add_request(text, sorted[i], all);
        once = once || is_once(sorted[i]);
    }
    if (once)
        cli_add_once(text);
    if (count > (size_t)most)
        star_text_add(text, "and %zu more; --all shows them\n", count - (size_t)most);
    free((void *)sorted);
}
