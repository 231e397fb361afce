/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"
#include "format.h"
#include "plot/table.h"
#include "util/text.h"

#include <stdlib.h>

static const struct star_column columns[] = {
    {"function_set", "request", STAR_WORDS}, {"bytes", "bytes", STAR_SIZES},
    {"ranks", "ranks", STAR_SIZES},          {"calls", "calls", STAR_COUNTS},
    {"share", "of run", STAR_SIZES},         {"function", "function", STAR_WORDS},
    {"chosen", "its time", STAR_TIMES},      {"first", "first's", STAR_TIMES},
    {"saved", "saved", STAR_SIGNED_TIMES},   {"tuning", "tuning", STAR_TIMES},
    {"confidence", "sure", STAR_SIZES},      {"attributes", "attributes", STAR_WORDS}};

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

/* The last cell. */
static void end_row(struct star_table *table, struct star_text *words)
{
    star_table_words(table, "%s", words->bytes ? words->bytes : "");
    table->failed = table->failed || words->failed;
    star_text_free(words);
}

/* Of all functions, where all is asked for. */
static void add_functions(struct star_table *table, const json_t *request)
{
    const json_t *functions = json_object_get(request, "functions");
    for (size_t i = 0; i < json_array_size(functions); i++) {
        const json_t *function = json_array_get(functions, i);
        struct star_text words = {0};
        char estimate[32];
        if (json_is_null(json_object_get(function, "estimate_seconds")) &&
            cli_count_of(function, "calls") == 0)
            continue;
        for (int empty = 0; empty < 3; empty++)
            star_table_words(table, "%s", "");
        star_table_number(table, (double)cli_count_of(function, "calls"));
        star_table_words(table, "%s", "");
        star_table_words(table, "  %s", cli_word_of(function, "function"));
        star_table_number(table, cli_number_of(function, "mean_seconds"));
        for (int empty = 0; empty < 4; empty++)
            star_table_words(table, "%s", "");
        add_attributes(&words, function);
        star_text_add(&words, "; %s by samples%s",
                      cli_seconds_of(cli_number_of(function, "estimate_seconds"), estimate, sizeof estimate),
                      json_is_true(json_object_get(function, "left_out")) ? ", left out" : "");
        end_row(table, &words);
    }
}

static bool is_once(const json_t *request)
{
    return json_is_true(json_object_get(request, "first_once"));
}

static void add_request(struct star_table *table, const json_t *request, bool all)
{
    const json_t *size = json_object_get(request, "bytes");
    struct star_text words = {0};
    char bytes[32], sure[16];
    long long requests = cli_count_of(request, "requests");
    star_table_words(table, "%s", cli_word_of(request, "function_set"));
    star_table_words(table, "%s", size ? cli_bytes_of(json_integer_value(size), bytes, sizeof bytes) : "?");
    star_table_words(table, requests > 1 ? "%lld x%lld" : "%lld", cli_count_of(request, "ranks"), requests);
    star_table_number(table, (double)cli_count_of(request, "calls"));
    star_table_words(table, "%.1f %%", 100 * cli_number_of(request, "share"));
    star_table_words(table, "%s", cli_word_of(request, "function"));
    star_table_number(table, cli_number_of(request, "seconds_per_call"));
    star_table_number(table, cli_number_of(request, "first_seconds_per_call"));
    star_table_mark(table, is_once(request) ? '*' : 0);
    star_table_number(table, cli_number_of(request, "saved_seconds"));
    star_table_number(table, cli_number_of(request, "tuning_seconds"));
    star_table_words(table, "%s", cli_sure(cli_number_of(request, "confidence"), sure, sizeof sure));
    add_attributes(&words, request);
    add_remembered(&words, request);
    end_row(table, &words);
    if (all)
        add_functions(table, request);
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
    struct star_table table = {.column = columns, .columns = sizeof columns / sizeof *columns};
    bool once = false;
    for (size_t i = 0; i < count && i < (size_t)most; i++) {
        add_request(&table, sorted[i], all);
        once = once || is_once(sorted[i]);
    }
    star_text_add(text, "\n");
    if (count > 0)
        star_table_write(&table, text);
    star_table_free(&table);
    if (once)
        cli_add_once(text);
    if (count > (size_t)most)
        star_text_add(text, "and %zu more; --all shows them\n", count - (size_t)most);
    free((void *)sorted);
}
