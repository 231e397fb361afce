/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "plot/table.h"
#include "util/parse.h"
#include "util/quantile.h"

static const char *bytes_are(const struct star_operation_info *info)
{
    return info->measure == STAR_UNKNOWN ? "of a block on average" : star_measures[info->measure];
}

static void begin_json(struct star_text *text, const struct bench_question *question,
                       const struct star_operation_info *info, int ranks)
{
    star_json_add(text, "{operation: %s, bytes_are: %s, ranks: %d", info->name, bytes_are(info), ranks);
    if (info->rooted)
        star_json_integer(text, "root", question->kind.root);
    if (info->units)
        star_json_number(text, "skew", question->kind.skew);
    if (info->expected.reduces)
        star_json_add(text, "type: %s, operator: %s", question->kind.type, question->kind.operator);
    star_json_add(text, "nodes: %s, topology: %s, compute: %g, sizes: [", question->nodes, question->topology,
                  question->compute);
    star_text_add(text, "\n");
}

void figures_begin(struct star_text *text, const struct bench_question *question, int ranks, bool known)
{
    const struct star_operation_info *info = &star_operations[question->kind.operation];
    if (question->json) {
        begin_json(text, question, info, ranks);
        return;
    }
    star_text_add(text, "%s, %d ranks", info->name, ranks);
    if (info->measure != STAR_NO_BYTES)
        star_text_add(text, "; bytes %s", bytes_are(info));
    if (info->rooted)
        star_text_add(text, "; root %d", (int)question->kind.root);
    if (info->expected.reduces)
        star_text_add(text, "; %s of %s", question->kind.operator, question->kind.type);
    star_text_add(text, "; ratio: native's median over the method's%s\n",
                  known ? "; limit: the least time that the links allow over it" : "");
}

static void add_json(struct star_text *text, const struct contender *c, int samples, double native,
                     double limit)
{
    char name[STAR_METHOD_TEXT];
    double half = star_quantile(c->samples, samples, 0.75) - star_quantile(c->samples, samples, 0.25);
    double median = star_quantile(c->samples, samples, 0.5);
    star_json_add(
        text,
        "{method: %s, correct: %i, min_seconds: %g, median_seconds: %g, spread: %g, native_over_this: %g",
        star_method_format(&c->method, name, sizeof name), !c->wrong, c->samples[0], median, half / median,
        native / median);
    if (limit > 0)
        star_json_number(text, "limit_over_this", limit / median);
    star_json_open(text, "samples", '[');
    for (int i = 0; i < samples; i++)
        star_json_number(text, NULL, c->samples[i]);
    star_json_add(text, "]}");
}

/* The last one is there where the limit is known. */
static const struct star_column columns[] = {
    {"bytes", "bytes", STAR_AS_SIZES},           {"method", "method", STAR_AS_WORDS},
    {"samples", "samples", STAR_AS_COUNTS},      {"min_seconds", "min", STAR_AS_TIMES},
    {"median_seconds", "median", STAR_AS_TIMES}, {"spread", "spread", STAR_AS_SHARES},
    {"ratio", "ratio", STAR_AS_RATIOS},          {"limit", "limit", STAR_AS_SHARES}};

static void add_row(struct star_table *table, const struct contender *c, int samples, double native,
                    double limit, int64_t bytes)
{
    char name[STAR_METHOD_TEXT], size[32];
    double half = star_quantile(c->samples, samples, 0.75) - star_quantile(c->samples, samples, 0.25);
    double median = star_quantile(c->samples, samples, 0.5);
    star_table_words(table, "%s", star_format_bytes(bytes, size, sizeof size));
    star_table_words(table, "%s%s", star_method_format(&c->method, name, sizeof name),
                     c->wrong ? "  WRONG RESULT" : "");
    star_table_numbers(table, samples, c->samples[0], median, half / median, native / median);
    if (limit > 0)
        star_table_numbers(table, limit / median);
}

void figures_add(struct star_text *text, const struct bench_question *question, int64_t bytes, double limit,
                 const struct contender *contenders, int count, int samples)
{
    double native = star_quantile(contenders[0].samples, samples, 0.5);
    struct star_table table = STAR_TABLE_OF(columns);
    table.columns -= limit > 0 ? 0 : 1;
    if (question->json)
        star_json_add(text, "{bytes: %jd, methods: [", bytes);
    for (int i = 0; i < count; i++) {
        star_text_add(text, question->json && i ? ",\n" : "");
        if (question->json)
            add_json(text, &contenders[i], samples, native, limit);
        else
            add_row(&table, &contenders[i], samples, native, limit, bytes);
    }
    /* Open MPI 5.0 puts a line that has not ended before what comes next on standard error. */
    if (question->json)
        star_text_add(text, "]}\n");
    star_table_write(&table, text);
}

void figures_end(struct star_text *text, const struct bench_question *question)
{
    if (question->json)
        star_text_add(text, "]}\n");
}
