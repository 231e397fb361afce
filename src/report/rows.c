/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rows.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double star_report_number(const json_t *context, const char *key)
{
    const json_t *value = json_object_get(context, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *star_report_word(const json_t *context, const char *key)
{
    const json_t *value = json_object_get(context, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

/* Of a context or a request. */
static struct star_row row_of(const json_t *context, bool request, size_t index)
{
    const json_t *bytes = json_object_get(context, "bytes");
    return (struct star_row){
        .json = context,
        .index = (int)index,
        .request = request,
        .operation = star_report_word(context, request ? "function_set" : "operation"),
        .where = star_report_word(context, "where"),
        .site = star_report_word(context, "site"),
        .problem = star_report_word(context, "problem"),
        .bytes = bytes ? json_integer_value(bytes) : -1,
        .ranks = json_integer_value(json_object_get(context, "ranks")),
        .in_place = json_is_true(json_object_get(context, "in_place")),
        .commutative = json_is_true(json_object_get(context, "commutative")),
        .method = star_report_word(context, request ? "function" : "method"),
        .contexts = 1,
        .methods = 1,
        .calls = json_integer_value(json_object_get(context, "calls")),
        .seconds = star_report_number(context, "seconds"),
        .share = star_report_number(context, "share"),
        .native_once = json_is_true(json_object_get(context, request ? "first_once" : "native_once")),
        .native = star_report_number(context, request ? "first_seconds_per_call" : "native_seconds_per_call"),
        .chosen = star_report_number(context, "seconds_per_call"),
        .saved = star_report_number(context, "saved_seconds"),
        .low = star_report_number(context, "saved_low_seconds"),
        .high = star_report_number(context, "saved_high_seconds"),
        .tuning = star_report_number(context, "tuning_seconds"),
        .confidence = star_report_number(context, "confidence"),
        .waits = star_report_number(context, "waits")};
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* What makes rows alike comes first. */
static int compare(const struct star_row *a, const struct star_row *b, int also)
{
    int order = compare_numbers(a->request, b->request);
    order = order ? order : strcmp(a->operation, b->operation);
    order = order ? order : compare_numbers(a->bytes, b->bytes);
    order = order ? order : compare_numbers(a->ranks, b->ranks);
    order = order ? order : compare_numbers(a->in_place, b->in_place);
    order = order ? order : compare_numbers(a->commutative, b->commutative);
    order = order ? order : strcmp(a->site, b->site);
    order = order ? order : strcmp(a->problem, b->problem);
    if (order == 0 && also & STAR_ROWS_BY_PLACE)
        order = strcmp(a->where, b->where);
    if (order == 0 && also & STAR_ROWS_BY_METHOD)
        order = strcmp(a->method, b->method);
    return order;
}

bool star_rows_are_alike(const struct star_row *a, const struct star_row *b)
{
    return compare(a, b, 0) == 0;
}

/* Alike, with the one that took most first. */
static int by_kind(const void *x, const void *y, void *also)
{
    const struct star_row *a = x, *b = y;
    int order = compare(a, b, *(const int *)also);
    return order ? order : (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

static int by_seconds(const void *x, const void *y)
{
    const struct star_row *a = x, *b = y;
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

static double sum_of_known(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static void add(struct star_row *into, const struct star_row *row)
{
    into->methods += strcmp(into->method, row->method) != 0;
    into->contexts += row->contexts;
    into->calls += row->calls;
    into->seconds += row->seconds;
    into->share += row->share;
    into->native_once = into->native_once || row->native_once;
    into->saved = sum_of_known(into->saved, row->saved);
    into->low = into->high = NAN;
    into->tuning = sum_of_known(into->tuning, row->tuning);
}

int star_rows_of(const json_t *report, int also, struct star_rows *rows, struct star_why *why)
{
    const json_t *contexts = json_object_get(report, "contexts"),
                 *requests = also & STAR_ROWS_WITH_REQUESTS ? json_object_get(report, "requests") : NULL;
    size_t of_contexts = json_array_size(contexts), count = of_contexts + json_array_size(requests);
    *rows = (struct star_rows){.row = calloc(count + 1, sizeof *rows->row)};
    if (rows->row == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        rows->row[i] = i < of_contexts
                           ? row_of(json_array_get(contexts, i), false, i)
                           : row_of(json_array_get(requests, i - of_contexts), true, i - of_contexts);
    qsort_r(rows->row, count, sizeof *rows->row, by_kind, &also);
    for (size_t i = 0; i < count; i++)
        if (rows->count > 0 && !(also & STAR_ROWS_APART) &&
            compare(&rows->row[rows->count - 1], &rows->row[i], also) == 0)
            add(&rows->row[rows->count - 1], &rows->row[i]);
        else
            rows->row[rows->count++] = rows->row[i];
    qsort(rows->row, (size_t)rows->count, sizeof *rows->row, by_seconds);
    return 0;
}

void star_rows_free(struct star_rows *rows)
{
    free(rows->row);
    *rows = (struct star_rows){0};
}

void star_row_name(const struct star_row *row, star_name name)
{
    char size[32] = "sizes vary";
    if (row->bytes >= 0)
        star_format_bytes(row->bytes, size, sizeof size);
    bool none = row->bytes < 0 && row->request;
    snprintf(name, sizeof(star_name), "%.100s, %s%s%lld ranks%s", row->operation, none ? "" : size,
             row->bytes >= 0 ? " bytes, "
             : none          ? ""
                             : ", ",
             (long long)row->ranks, row->in_place ? ", in place" : "");
}

const json_t *star_row_list(const struct star_row *row)
{
    return json_object_get(row->json, row->request ? "functions" : "methods");
}

void star_report_attributes(const json_t *one, struct star_text *text)
{
    const char *name, *between = "";
    json_t *value;
    json_object_foreach(json_object_get(one, "attributes"), name, value)
    {
        star_text_add(text, "%s%s %s", between, name, json_string_value(value));
        between = ", ";
    }
}

void star_row_method(const struct star_row *row, const json_t *one, star_name name)
{
    const char *key = row->request ? "function" : "method", *word = star_report_word(one, key);
    const json_t *list = star_row_list(row);
    struct star_text attributes = {0};
    int same = 0;
    for (size_t i = 0; row->request && i < json_array_size(list); i++)
        same += strcmp(star_report_word(json_array_get(list, i), key), word) == 0;
    if (same > 1)
        star_report_attributes(one, &attributes);
    const char *words = attributes.bytes ? attributes.bytes : "";
    snprintf(name, sizeof(star_name), "%s%s%s%s", word, words[0] ? " (" : "", words, words[0] ? ")" : "");
    star_text_free(&attributes);
}

struct star_date star_report_date(const json_t *report)
{
    struct star_date date = {"?"};
    time_t seconds = (time_t)json_integer_value(json_object_get(report, "date"));
    struct tm parts;
    if (localtime_r(&seconds, &parts) != NULL)
        strftime(date.text, sizeof date.text, "%Y-%m-%d %H:%M:%S", &parts);
    return date;
}
