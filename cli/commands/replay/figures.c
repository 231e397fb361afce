/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "plot/curves.h"
#include "plot/table.h"
#include "replay/run.h"
#include "replay/trace.h"
#include "replay/truth.h"
#include "runs.h"
#include "util/parse.h"
#include "util/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int moment_of(const struct cli_replay *replay, int64_t calls)
{
    int i = 0;
    while (i + 1 < replay->moments && replay->moment_calls[i] != calls)
        i++;
    return i;
}

/* A figure of the run that has come to MOMENT on a trace. */
typedef double figure(const struct star_truth *truth, const struct star_moment *moment);

static double native_over_run(const struct star_truth *truth, const struct star_moment *moment)
{
    return (double)moment->calls * truth->steady[0] / moment->seconds;
}

static double is_near(const struct star_truth *truth, const struct star_moment *moment)
{
    return star_truth_distance(truth, moment->chosen) <= star_replay_near;
}

static double settled(const struct star_truth *truth, const struct star_moment *moment)
{
    (void)truth;
    return (double)moment->settled;
}

static double switches(const struct star_truth *truth, const struct star_moment *moment)
{
    (void)truth;
    return (double)moment->switches;
}

/* Of all repeats of a trace. */
static void gather(const struct cli_replay *replay, int trace, int contender, int64_t calls, figure *of,
                   double *values)
{
    int moment = moment_of(replay, calls);
    for (int r = 0; r < replay->repeats; r++)
        values[r] = of(&replay->truth[trace], cli_replay_moments(replay, trace, contender, r) + moment);
}

static double median_of(const struct cli_replay *replay, int trace, int contender, int64_t calls, figure *of)
{
    double *values = calloc((size_t)replay->repeats, sizeof *values), result = NAN;
    if (values != NULL) {
        gather(replay, trace, contender, calls, of, values);
        result = star_sort_median(values, (int)replay->repeats);
    }
    free(values);
    return result;
}

static double regret_of(const struct cli_replay *replay, int trace, int contender, int64_t calls)
{
    return median_of(replay, trace, contender, calls, star_moment_regret);
}

/* The median over traces of their medians. */
static double over_traces(const struct cli_replay *replay, int contender, int64_t calls, figure *of,
                          double *worst)
{
    double *values = calloc((size_t)replay->traces.count, sizeof *values), result = NAN;
    for (int t = 0; values && t < replay->traces.count; t++)
        values[t] = median_of(replay, t, contender, calls, of);
    if (values != NULL)
        result = star_sort_median(values, replay->traces.count);
    if (worst != NULL)
        *worst = values ? values[replay->traces.count - 1] : NAN;
    free(values);
    return result;
}

/* Of a trace's runs, or of all (−1). */
static double share_near(const struct cli_replay *replay, int trace, int contender, int64_t calls)
{
    int moment = moment_of(replay, calls), runs = 0;
    double sum = 0;
    for (int t = 0; t < replay->traces.count; t++)
        for (int r = 0; (trace < 0 || t == trace) && r < replay->repeats; r++, runs++)
            sum += is_near(&replay->truth[t], cli_replay_moments(replay, t, contender, r) + moment);
    return sum / runs;
}

/* Of a contender after CALLS, over all traces. */
struct summary {
    double median, worst, native; /* regret; and the median of native's time over the run's */
    double near;                  /* the share of runs that have come to a method as good as the best */
    double settled, switches;     /* medians */
};

static struct summary sum_up(const struct cli_replay *replay, int contender, int64_t calls)
{
    struct summary summary = {.near = share_near(replay, -1, contender, calls)};
    summary.median = over_traces(replay, contender, calls, star_moment_regret, &summary.worst);
    summary.native = over_traces(replay, contender, calls, native_over_run, NULL);
    summary.settled = over_traces(replay, contender, calls, settled, NULL);
    summary.switches = over_traces(replay, contender, calls, switches, NULL);
    return summary;
}

static const struct star_column of_summaries[] = {{"calls", "calls", STAR_AS_COUNTS},
                                                  {"strategy", "strategy", STAR_AS_WORDS},
                                                  {"regret", "regret", STAR_AS_SHARES},
                                                  {"worst", "worst", STAR_AS_SHARES},
                                                  {"native_over_run", "vs native", STAR_AS_RATIOS},
                                                  {"near", "near", STAR_AS_SHARES},
                                                  {"settled", "settled", STAR_AS_COUNTS},
                                                  {"switches", "switches", STAR_AS_COUNTS}};

static void add_summaries(const struct cli_replay *replay, struct star_text *text)
{
    struct star_table table = STAR_TABLE_OF(of_summaries);
    for (int i = 0; i < replay->calls_count; i++)
        for (int c = 0; c < replay->contenders; c++) {
            struct summary s = sum_up(replay, c, replay->calls[i]);
            star_table_numbers(&table, replay->calls[i]);
            star_table_words(&table, "%s", replay->contender[c].name);
            star_table_numbers(&table, s.median, s.worst, s.native, s.near, s.settled, s.switches);
        }
    star_table_write(&table, text);
}

static const struct star_column of_contexts[] = {
    {"trace", "trace", STAR_AS_WORDS},      {"operation", "operation", STAR_AS_WORDS},
    {"ranks", "ranks", STAR_AS_COUNTS},     {"bytes", "bytes", STAR_AS_SIZES},
    {"methods", "methods", STAR_AS_COUNTS}, {"native_over_best", "native", STAR_AS_RATIOS},
    {"best", "best", STAR_AS_WORDS}};

/* A column for each contender stands behind the others. */
static void add_contexts(const struct cli_replay *replay, int64_t calls, struct star_text *text)
{
    enum { OWN = sizeof of_contexts / sizeof *of_contexts };
    char bytes[32], name[STAR_METHOD_TEXT];
    struct star_column columns[OWN + CONTENDERS];
    struct star_table table = {.column = columns, .columns = OWN + replay->contenders};
    memcpy(columns, of_contexts, sizeof of_contexts);
    for (int c = 0; c < replay->contenders; c++)
        columns[OWN + c] = (struct star_column){"regret", replay->contender[c].name, STAR_AS_SHARES};
    for (int t = 0; t < replay->traces.count; t++) {
        const struct star_trace *trace = &replay->traces.at[t];
        const struct star_truth *truth = &replay->truth[t];
        star_table_words(&table, "%s", trace->from);
        star_table_words(&table, "%s", star_operations[trace->operation].name);
        star_table_numbers(&table, trace->ranks);
        star_table_words(&table, "%s", star_format_bytes(trace->bytes, bytes, sizeof bytes));
        star_table_numbers(&table, trace->methods.count, 1 + star_truth_distance(truth, 0));
        star_table_words(&table, "%s",
                         star_method_format(&trace->methods.at[truth->best], name, sizeof name));
        for (int c = 0; c < replay->contenders; c++)
            star_table_numbers(&table, regret_of(replay, t, c, calls));
    }
    star_text_add(text, "\nregret after %lld calls\n", (long long)calls);
    star_table_write(&table, text);
}

/* Of the best method's time the part that was spent for WHAT, in the mean over the runs of a trace; −1: of
 * all traces. */
static double share_spent(const struct cli_replay *replay, int trace, int contender, int64_t calls,
                          enum star_spent what)
{
    int moment = moment_of(replay, calls), runs = 0;
    double sum = 0;
    for (int t = 0; t < replay->traces.count; t++)
        for (int r = 0; (trace < 0 || t == trace) && r < replay->repeats; r++, runs++)
            sum += star_moment_share(&replay->truth[t], cli_replay_moments(replay, t, contender, r) + moment,
                                     what);
    return sum / runs;
}

/* Of one trace, or of all (−1). */
static void add_spent(const struct cli_replay *replay, int trace, int contender, int64_t calls,
                      struct star_table *table)
{
    char bytes[32] = "";
    const struct star_trace *of = &replay->traces.at[trace < 0 ? 0 : trace];
    star_table_numbers(table, calls);
    star_table_words(table, "%s", replay->contender[contender].name);
    for (int what = 0; what < STAR_SPENDINGS; what++)
        star_table_numbers(table, share_spent(replay, trace, contender, calls, (enum star_spent)what));
    if (trace < 0)
        star_table_words(table, "all");
    else
        star_table_words(table, "%s %s, %s", star_operations[of->operation].name,
                         star_format_bytes(of->bytes, bytes, sizeof bytes), of->from);
}

static void add_spendings(const struct cli_replay *replay, struct star_text *text)
{
    enum { FIRST = 2, COLUMNS = FIRST + STAR_SPENDINGS + 1 };
    struct star_column columns[COLUMNS] = {{"calls", "calls", STAR_AS_COUNTS},
                                           {"strategy", "strategy", STAR_AS_WORDS},
                                           [COLUMNS - 1] = {"context", "contexts", STAR_AS_WORDS}};
    struct star_table table = STAR_TABLE_OF(columns);
    for (int what = 0; what < STAR_SPENDINGS; what++)
        columns[FIRST + what] =
            (struct star_column){star_spent_names[what], star_spent_names[what], STAR_AS_FINE_SHARES};
    for (int i = 0; i < replay->calls_count; i++)
        for (int c = 0; c < replay->contenders; c++)
            for (int t = -1; t < (replay->contexts ? replay->traces.count : 0); t++)
                add_spent(replay, t, c, replay->calls[i], &table);
    star_text_add(text, "\nwhat the regret is spent for, in the mean\n");
    star_table_write(&table, text);
}

void cli_replay_table(const struct cli_replay *replay, struct star_text *text)
{
    star_text_add(text, "%d contexts, %d runs each\n", replay->traces.count, (int)replay->repeats);
    add_summaries(replay, text);
    for (int i = 0; replay->contexts && i < replay->calls_count; i++)
        add_contexts(replay, replay->calls[i], text);
    if (replay->spent)
        add_spendings(replay, text);
}

static void json_spent(const struct cli_replay *replay, int trace, int contender, int64_t calls,
                       struct star_text *text)
{
    star_json_open(text, "spent", '{');
    for (int what = 0; what < STAR_SPENDINGS; what++)
        star_json_number(text, star_spent_names[what],
                         share_spent(replay, trace, contender, calls, (enum star_spent)what));
    star_json_close(text, '}');
}

static void json_summary(const struct cli_replay *replay, int contender, int64_t calls,
                         struct star_text *text)
{
    struct summary s = sum_up(replay, contender, calls);
    star_json_add(text,
                  "{calls: %jd, strategy: %s, regret: %g, worst: %g, native_over_run: %g, near: %g, settled: "
                  "%g, switches: %g",
                  calls, replay->contender[contender].name, s.median, s.worst, s.native, s.near, s.settled,
                  s.switches);
    json_spent(replay, -1, contender, calls, text);
    star_json_close(text, '}');
}

static void json_regrets(const struct cli_replay *replay, int trace, struct star_text *text)
{
    star_json_open(text, "regrets", '[');
    for (int i = 0; i < replay->calls_count; i++)
        for (int c = 0; c < replay->contenders; c++) {
            star_json_add(text, "{calls: %jd, strategy: %s, regret: %g, near: %g", replay->calls[i],
                          replay->contender[c].name, regret_of(replay, trace, c, replay->calls[i]),
                          share_near(replay, trace, c, replay->calls[i]));
            json_spent(replay, trace, c, replay->calls[i], text);
            star_json_close(text, '}');
        }
    star_json_close(text, ']');
}

static void json_context(const struct cli_replay *replay, int t, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    const struct star_trace *trace = &replay->traces.at[t];
    star_json_add(
        text, "{trace: %s, operation: %s, ranks: %d, bytes: %jd, methods: %d, best: %s, native_over_best: %g",
        trace->from, star_operations[trace->operation].name, trace->ranks, trace->bytes, trace->methods.count,
        star_method_format(&trace->methods.at[replay->truth[t].best], name, sizeof name),
        1 + star_truth_distance(&replay->truth[t], 0));
    json_regrets(replay, t, text);
    star_json_close(text, '}');
}

void cli_replay_json(const struct cli_replay *replay, struct star_text *text)
{
    star_json_add(text, "{runs: %jd, seed: %jd, summaries: [", replay->repeats, replay->seed);
    for (int i = 0; i < replay->calls_count; i++)
        for (int c = 0; c < replay->contenders; c++)
            json_summary(replay, c, replay->calls[i], text);
    star_json_add(text, "], contexts: [");
    for (int t = 0; t < replay->traces.count; t++)
        json_context(replay, t, text);
    star_json_add(text, "]}");
    star_text_add(text, "\n");
}

/* Regret below this is drawn as this, in percent. */
static const double least_regret = 0.1;

/* Native's is the same at each moment: it is drawn beside the strategies', in grey. */
static double native_regret(const struct cli_replay *replay)
{
    double *values = calloc((size_t)replay->traces.count, sizeof *values), result = NAN;
    for (int t = 0; values && t < replay->traces.count; t++)
        values[t] = star_truth_distance(&replay->truth[t], 0);
    if (values != NULL)
        result = star_sort_median(values, replay->traces.count);
    free(values);
    return result;
}

/* The legend has the curves in the order in which they end. */
static int by_end(const void *x, const void *y)
{
    const struct star_curve *a = x, *b = y;
    double first = a->at[a->count - 1].y, second = b->at[b->count - 1].y;
    return (first < second) - (first > second);
}

void cli_replay_svg(const struct cli_replay *replay, struct star_text *text)
{
    struct star_svg_point at[CONTENDERS + 1][MOMENTS_MOST];
    struct star_curve curves[CONTENDERS + 1];
    double native = native_regret(replay);
    for (int c = 0; c <= replay->contenders; c++) {
        bool is_native = c == replay->contenders;
        curves[c] =
            (struct star_curve){.at = at[c], .count = replay->moments, .colour = is_native ? 0 : c + 1};
        snprintf(curves[c].name, sizeof curves[c].name, "%s",
                 is_native ? "native" : replay->contender[c].name);
        for (int i = 0; i < replay->moments; i++) {
            int64_t calls = replay->moment_calls[i];
            double regret = is_native ? native : over_traces(replay, c, calls, star_moment_regret, NULL);
            at[c][i] = (struct star_svg_point){(double)calls, fmax(100 * regret, least_regret)};
        }
    }
    qsort(curves, (size_t)replay->contenders + 1, sizeof *curves, by_end);
    const struct star_panel panel = {
        "Median regret",
        {"calls", STAR_DECADES, STAR_PLAIN, (double)replay->moment_calls[0]},
        {"regret in % (0.1: that or less)", STAR_DECADES, STAR_PLAIN, least_regret},
        curves,
        replay->contenders + 1};
    star_curves_svg(&panel, 1, text);
}
