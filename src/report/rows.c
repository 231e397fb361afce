/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number_of(const json_t *context, const char *key)
{
    const json_t *value = json_object_get(context, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *word_of(const json_t *context, const char *key)
{
    const json_t *value = json_object_get(context, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

/* Of a context or a request. */
static struct star_row row_of(const json_t *context, bool request)
{
    const json_t *bytes = json_object_get(context, "bytes");
    double saved = number_of(context, "saved_seconds"), tuning = number_of(context, "tuning_seconds");
    return (struct star_row){
        .request = request,
        .operation = word_of(context, request ? "function_set" : "operation"),
        .where = word_of(context, "where"),
        .site = word_of(context, "site"),
        .problem = word_of(context, "problem"),
        .bytes = bytes ? json_integer_value(bytes) : -1,
        .ranks = json_integer_value(json_object_get(context, "ranks")),
        .in_place = json_is_true(json_object_get(context, "in_place")),
        .commutative = json_is_true(json_object_get(context, "commutative")),
        .method = word_of(context, request ? "function" : "method"),
        .contexts = 1,
        .methods = 1,
        .calls = json_integer_value(json_object_get(context, "calls")),
        .seconds = number_of(context, "seconds"),
        .share = number_of(context, "share"),
        .native_once = json_is_true(json_object_get(context, request ? "first_once" : "native_once")),
        .native = number_of(context, request ? "first_seconds_per_call" : "native_seconds_per_call"),
        .chosen = number_of(context, "seconds_per_call"),
        .saved = isnan(saved) ? 0 : saved,
        .tuning = isnan(tuning) ? 0 : tuning,
        .confidence = number_of(context, "confidence"),
        .waits = number_of(context, "waits")};
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

static void add(struct star_row *into, const struct star_row *row)
{
    into->methods += strcmp(into->method, row->method) != 0;
    into->contexts += row->contexts;
    into->calls += row->calls;
    into->seconds += row->seconds;
    into->share += row->share;
    into->native_once = into->native_once || row->native_once;
    into->saved += row->saved;
    into->tuning += row->tuning;
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
        rows->row[i] = i < of_contexts ? row_of(json_array_get(contexts, i), false)
                                       : row_of(json_array_get(requests, i - of_contexts), true);
    qsort_r(rows->row, count, sizeof *rows->row, by_kind, &also);
    for (size_t i = 0; i < count; i++)
        if (rows->count > 0 && compare(&rows->row[rows->count - 1], &rows->row[i], also) == 0)
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
