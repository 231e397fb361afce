/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/tables.h"
#include "util/parse.h"

#include <math.h>
#include <stdlib.h>

#define COSTS(first, name)                                                                                   \
    {"seconds_per_call", "its time", STAR_AS_TIMES}, {first, name, STAR_AS_TIMES},                           \
        {"saved_seconds", "saved", STAR_AS_SIGNED_TIMES},                                                    \
        {"saved_low_seconds", "from", STAR_AS_SIGNED_TIMES},                                                 \
        {"saved_high_seconds", "to", STAR_AS_SIGNED_TIMES}, {"tuning_seconds", "tuning", STAR_AS_TIMES},     \
    {                                                                                                        \
        "confidence", "sure", STAR_AS_SHARES                                                                 \
    }
static const struct star_column of_contexts[] = {{"operation", "operation", STAR_AS_WORDS},
                                                 {"bytes", "bytes", STAR_AS_SIZES},
                                                 {"ranks", "ranks", STAR_AS_SIZES},
                                                 {"calls", "calls", STAR_AS_COUNTS},
                                                 {"share", "of run", STAR_AS_SHARES},
                                                 {"method", "method", STAR_AS_WORDS},
                                                 COSTS("native_seconds_per_call", "native's"),
                                                 {"where", "called at", STAR_AS_WORDS}};
static const struct star_column of_requests[] = {
    {"function_set", "request", STAR_AS_WORDS},  {"bytes", "bytes", STAR_AS_SIZES},
    {"ranks", "ranks", STAR_AS_SIZES},           {"requests", "requests", STAR_AS_COUNTS},
    {"calls", "calls", STAR_AS_COUNTS},          {"share", "of run", STAR_AS_SHARES},
    {"function", "function", STAR_AS_WORDS},     COSTS("first_seconds_per_call", "first's"),
    {"attributes", "attributes", STAR_AS_WORDS}, {"remembered", "remembered", STAR_AS_WORDS},
    {"problem", "problem", STAR_AS_WORDS}};
#undef COSTS
static const struct star_column of_waits[] = {{"context", "context", STAR_AS_WORDS},
                                              {"least", "least", STAR_AS_TIMES},
                                              {"mean", "mean", STAR_AS_TIMES},
                                              {"most", "most", STAR_AS_TIMES},
                                              {"waits", "waiting, at most", STAR_AS_SHARES}};
static const struct star_column of_others[] = {{"operation", "operation", STAR_AS_WORDS},
                                               {"ranks", "ranks", STAR_AS_COUNTS},
                                               {"calls", "calls", STAR_AS_COUNTS},
                                               {"seconds", "time", STAR_AS_TIMES}};
static const struct star_column of_nonblocking[] = {{"operation", "operation", STAR_AS_WORDS},
                                                    {"bytes_most", "bytes, at most", STAR_AS_SIZES},
                                                    {"ranks", "ranks", STAR_AS_SIZES},
                                                    {"calls", "calls", STAR_AS_COUNTS},
                                                    {"shared_calls", "by shared memory", STAR_AS_COUNTS},
                                                    {"shared_seconds_per_call", "its time", STAR_AS_TIMES},
                                                    {"method_calls", "by methods", STAR_AS_COUNTS},
                                                    {"method", "method", STAR_AS_WORDS},
                                                    {"method_seconds_per_call", "its time", STAR_AS_TIMES},
                                                    {"native_seconds_per_call", "native's", STAR_AS_TIMES}};
/* The last one is of functions alone. */
static const struct star_column of_methods[] = {
    {"method", "method", STAR_AS_WORDS},        {"calls", "calls", STAR_AS_COUNTS},
    {"mean_seconds", "mean", STAR_AS_TIMES},    {"estimate_seconds", "estimate", STAR_AS_TIMES},
    {"samples", "samples", STAR_AS_COUNTS},     {"left_out", "left out", STAR_AS_WORDS},
    {"attributes", "attributes", STAR_AS_WORDS}};
static const struct star_column of_decisions[] = {
    {"at_seconds", "at", STAR_AS_TIMES}, {"call", "call", STAR_AS_COUNTS},
    {"method", "method", STAR_AS_WORDS}, {"stage", "stage", STAR_AS_WORDS},
    {"reason", "reason", STAR_AS_WORDS}, {"mean_seconds", "a call before", STAR_AS_TIMES}};

int star_table_rows(const struct star_table *table)
{
    return table->count / table->columns;
}

static void add_attributes(struct star_table *table, const json_t *one)
{
    struct star_text words = {0};
    star_report_attributes(one, &words);
    star_table_words(table, "%s", words.bytes ? words.bytes : "");
    table->failed = table->failed || words.failed;
    star_text_free(&words);
}

static void add_remembered(struct star_table *table, const json_t *request)
{
    const char *function = star_report_word(request, "remembered_function");
    if (json_object_get(request, "remembered_functions") == NULL)
        star_table_words(table, "%s", "");
    else
        star_table_words(table, "%s, %.1f %%", function[0] ? function : "no favourite",
                         100 * star_report_number(request, "remembered_confidence"));
}

static void add_row(struct star_table *table, const struct star_row *row)
{
    char size[32];
    star_table_words(table, "%s", row->operation);
    star_table_words(table, "%s",
                     row->bytes >= 0 ? star_format_bytes(row->bytes, size, sizeof size)
                     : row->request  ? "?"
                                     : "varies");
    star_table_words(table, row->contexts > 1 ? "%lld x%d" : "%lld", (long long)row->ranks, row->contexts);
    if (row->request)
        star_table_numbers(table, star_report_number(row->json, "requests"));
    star_table_numbers(table, row->calls, row->share);
    star_table_words(table, "%s", row->method);
    star_table_numbers(table, row->chosen, row->native);
    star_table_mark(table, row->native_once ? '*' : 0);
    star_table_numbers(table, row->saved, row->low, row->high, row->tuning,
                       floor(1000 * row->confidence) / 1000);
    if (row->request) {
        add_attributes(table, row->json);
        add_remembered(table, row->json);
        star_table_words(table, "%s", row->problem);
    } else {
        star_table_words(table, "%s%s", row->where, row->in_place ? ", in place" : "");
    }
}

struct star_table star_table_of_rows(const struct star_rows *rows, bool requests, int most, int *index)
{
    struct star_table contexts = STAR_TABLE_OF(of_contexts), other = STAR_TABLE_OF(of_requests);
    struct star_table table = requests ? other : contexts;
    for (int i = 0, added = 0; i < rows->count && added < most; i++)
        if (rows->row[i].request == requests) {
            add_row(&table, &rows->row[i]);
            if (index != NULL)
                index[added] = rows->row[i].index;
            added++;
        }
    return table;
}

struct star_table star_table_of_waits(const struct star_rows *rows, int *index)
{
    struct star_table table = STAR_TABLE_OF(of_waits);
    for (int i = 0; i < rows->count; i++) {
        const struct star_row *row = &rows->row[i];
        const json_t *spread = json_object_get(row->json, "ranks_seconds_per_call");
        star_name name;
        if (spread == NULL)
            continue;
        index[star_table_rows(&table)] = row->index;
        star_row_name(row, name);
        star_table_words(&table, "%s", name);
        star_table_numbers(&table, star_report_number(spread, "least"), star_report_number(spread, "mean"),
                           star_report_number(spread, "most"), row->waits);
    }
    return table;
}

/* A row for each of LIST: its operation, and numbers. */
static struct star_table fill(struct star_table table, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        star_table_words(&table, "%s", star_report_word(one, table.column[0].key));
        for (int k = 1; k < table.columns; k++)
            star_table_numbers(&table, star_report_number(one, table.column[k].key));
    }
    return table;
}

struct star_table star_table_of_others(const json_t *report)
{
    const struct star_table table = STAR_TABLE_OF(of_others);
    return fill(table, json_object_get(report, "others"));
}

struct star_table star_table_of_nonblocking(const json_t *report)
{
    const struct star_table table = STAR_TABLE_OF(of_nonblocking);
    return fill(table, json_object_get(report, "nonblocking"));
}

struct star_table star_table_of_methods(const struct star_row *row, int *index)
{
    const json_t *list = star_row_list(row);
    struct star_table table = STAR_TABLE_OF(of_methods);
    table.columns -= row->request ? 0 : 1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *method = json_array_get(list, i);
        size_t samples = json_array_size(json_object_get(method, "samples"));
        double estimate = star_report_number(method, "estimate_seconds");
        star_name name;
        if (samples == 0 && isnan(estimate) && !(star_report_number(method, "calls") > 0))
            continue;
        if (index != NULL)
            index[star_table_rows(&table)] = (int)i;
        star_row_method(row, method, name);
        star_table_words(&table, "%s", name);
        star_table_numbers(&table, star_report_number(method, "calls"),
                           star_report_number(method, "mean_seconds"), estimate, samples);
        star_table_words(&table, "%s",
                         json_is_true(json_object_get(method, "wrong"))      ? "wrong"
                         : json_is_true(json_object_get(method, "left_out")) ? "yes"
                                                                             : "");
        if (row->request)
            add_attributes(&table, method);
    }
    return table;
}

struct star_table star_table_of_decisions(const struct star_row *row)
{
    const json_t *history = json_object_get(row->json, "history");
    struct star_table table = STAR_TABLE_OF(of_decisions);
    for (size_t i = 0; i < json_array_size(history); i++) {
        const json_t *decision = json_array_get(history, i);
        star_name name;
        star_row_method(row, decision, name);
        star_table_numbers(&table, star_report_number(decision, "at_seconds"),
                           star_report_number(decision, "call"));
        star_table_words(&table, "%s", name);
        star_table_words(&table, "%s", star_report_word(decision, "stage"));
        star_table_words(&table, "%s", star_report_word(decision, "reason"));
        star_table_numbers(&table, star_report_number(decision, "mean_seconds"));
    }
    return table;
}

void star_tables_say_once(const struct star_rows *rows, bool requests, struct star_text *text)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].request == requests && rows->row[i].native_once) {
            star_text_add(text, "* measured once, in few calls, maybe a program's first ones: others may be "
                                "faster, and less is saved then\n");
            return;
        }
}
