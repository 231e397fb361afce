/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report.h"
#include "runtime/agree.h"
#include "util/parse.h"
#include "util/version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void report_method(struct star_text *text, const struct star_context *context, int i)
{
    char name[STAR_METHOD_TEXT];
    const struct star_tally *tally = &context->tally[i];
    int count = 0;
    const double *samples = context->tuner ? star_tuner_samples(context->tuner, i, &count) : NULL;
    star_json_open(text, NULL, '{');
    star_json_string(text, "method", star_method_format(&context->candidates.at[i], name, sizeof name));
    star_json_integer(text, "calls", tally->calls);
    star_json_number(text, "mean_seconds", (double)tally->nanoseconds * 1e-9 / (double)tally->calls);
    star_json_bool(text, "wrong", tally->wrong);
    if (context->tuner != NULL) {
        star_json_number(text, "estimate_seconds", star_tuner_estimate(context->tuner, i));
        star_json_bool(text, "left_out", star_tuner_is_shut_out(context->tuner, i));
        if (context->predicted != NULL)
            star_json_number(text, "predicted_seconds", context->predicted[i]);
        star_json_open(text, "samples", '[');
        for (int j = 0; j < count; j++)
            star_json_number(text, NULL, samples[j]);
        star_json_close(text, ']');
    }
    star_json_close(text, '}');
}

static void report_history(struct star_text *text, const struct star_context *context)
{
    star_json_open(text, "history", '[');
    for (int i = 0; context->history != NULL && i < context->switches && i < STAR_HISTORY_MAX; i++) {
        const struct star_switch *s = &context->history[i];
        char name[STAR_METHOD_TEXT];
        star_json_open(text, NULL, '{');
        star_json_integer(text, "call", s->call);
        star_json_string(text, "method",
                         star_method_format(&context->candidates.at[s->method], name, sizeof name));
        star_json_string(text, "stage", s->stage == STAR_MEASURE ? "measure" : "monitor");
        star_json_string(text, "reason", star_reason_names[s->reason]);
        star_json_integer(text, "delta", s->delta);
        star_json_close(text, '}');
    }
    star_json_close(text, ']');
    star_json_integer(text, "agreements", context->agreements);
}

static void report_memory(struct star_text *text, const struct star_context *context)
{
    star_json_open(text, "memory_bytes", '{');
    star_json_integer(text, "context", (int64_t)star_context_bytes(context));
    star_json_integer(text, "plan", context->runner ? (int64_t)star_shared_runner_bytes(context->runner) : 0);
    star_json_close(text, '}');
}

void star_report_context(struct star_text *text, const struct star_communicator *state,
                         const struct star_context *context)
{
    struct star_record record = star_record_of(state, context);
    star_text_add(text, ",\n"); /* before each, so that the texts of several ranks can be put together */
    star_json_open(text, NULL, '{');
    star_json_string(text, "operation", star_operations[record.operation].name);
    if (record.bytes >= 0)
        star_json_integer(text, "bytes", record.bytes);
    star_json_integer(text, "ranks", record.ranks);
    star_json_integer(text, "nodes", star_nodes_count(state->node, state->size));
    star_json_bool(text, "in_place", record.in_place);
    star_json_bool(text, "commutative", context->facts.commutative);
    if (record.site[0])
        star_json_string(text, "site", record.site);
    star_json_integer(text, "calls", record.calls);
    star_json_integer(text, "timed_calls", record.calls - context->skipped);
    star_json_number(text, "seconds", record.seconds);
    star_json_string(text, "method", record.method);
    star_json_bool(text, "tuned", context->tuner != NULL);
    if (record.native_calls > 0) {
        star_json_number(text, "native_seconds_per_call",
                         record.native_seconds / (double)record.native_calls);
        star_json_number(text, "saved_seconds", record.saved);
        star_json_number(text, "tuning_seconds", record.tuning);
    }
    star_json_integer(text, "tuning_calls", context->tuning_calls);
    star_json_integer(text, "pruned", context->pruned);
    if (context->recalled > 0) {
        star_json_integer(text, "remembered_methods", context->recalled);
        star_json_number(text, "remembered_confidence", context->confidence);
    }
    report_memory(text, context);
    report_history(text, context);
    star_json_open(text, "methods", '[');
    for (int i = 0; i < context->candidates.count; i++) {
        star_text_add(text, i ? "" : "\n");
        report_method(text, context, i);
    }
    star_json_close(text, ']');
    star_json_close(text, '}');
}

static const char *setting_text(const char *name, char *buffer, size_t room)
{
    return star_setting_format(&star_runtime.settings, star_setting_find(name), buffer, room);
}

/* Each object has a comma in front; the first loses it. */
static void add_objects(struct star_text *text, const char *key, const struct star_text *objects)
{
    star_json_open(text, key, '[');
    if (objects->length > 0)
        star_text_append(text, objects->bytes + 1, objects->length - 1);
    star_json_close(text, ']');
}

static void write_report(const struct star_text *contexts, const struct star_text *requests)
{
    char value[STAR_SETTING_TEXT], beside[STAR_SETTING_TEXT + 8], library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_string(&text, "startune", STAR_VERSION);
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = 0;
    star_json_string(&text, "mpi", library);
    star_json_string(&text, "machine", star_machine_name());
    star_json_integer(&text, "date", (int64_t)time(NULL));
    star_json_integer(&text, "ranks", star_runtime.world_size);
    star_json_open(&text, "settings", '{');
    for (int i = 0; i < star_setting_count; i++)
        star_json_string(&text, star_setting_table[i].name,
                         setting_text(star_setting_table[i].name, value, sizeof value));
    star_json_close(&text, '}');
    add_objects(&text, "contexts", contexts);
    add_objects(&text, "requests", requests);
    star_json_close(&text, '}');
    star_text_add(&text, "\n");
    snprintf(beside, sizeof beside, "%s.part", star_runtime.settings.report);
    FILE *file = text.failed ? NULL : fopen(beside, "w");
    bool written = file != NULL && fwrite(text.bytes, 1, text.length, file) == text.length;
    written = file != NULL && fclose(file) == 0 && written;
    if (!written || rename(beside, star_runtime.settings.report) != 0)
        star_warn(STAR_WARN_REPORT, 0, "the report %s cannot be written: %s", star_runtime.settings.report,
                  strerror(errno));
    star_text_free(&text);
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct star_record *)a)->seconds, y = ((const struct star_record *)b)->seconds;
    return (x < y) - (x > y);
}

/* Merges what different communicators found alike; returns how many are left. */
static int merge(struct star_record *records, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < kept && !star_record_merge(&records[j], &records[i]))
            j++;
        if (j == kept)
            records[kept++] = records[i];
    }
    qsort(records, (size_t)kept, sizeof *records, by_seconds);
    return kept;
}

static void summary_line(const struct star_record *r)
{
    char bytes[32], ranks[32], chosen[32] = "-", native[32] = "-", saved[40] = "-";
    star_format_bytes(r->bytes, bytes, sizeof bytes);
    if (r->bytes == STAR_BYTES_UNKNOWN)
        snprintf(bytes, sizeof bytes, "varies");
    if (r->bytes == STAR_OTHER_SIZES)
        snprintf(bytes, sizeof bytes, "others");
    snprintf(ranks, sizeof ranks, r->communicators > 1 ? "%d x%d" : "%d", r->ranks, r->communicators);
    if (r->chosen_calls > 0)
        star_format_seconds(r->chosen_seconds / (double)r->chosen_calls, chosen, sizeof chosen);
    if (r->native_calls > 0) {
        star_format_seconds(r->native_seconds / (double)r->native_calls, native, sizeof native);
        saved[0] = r->saved < 0 ? '-' : '+';
        star_format_seconds(r->saved < 0 ? -r->saved : r->saved, saved + 1, sizeof saved - 1);
    }
    fprintf(stderr, "startune: %-20s %8s %8s %9lld  %-28s %9s %11s %10s%s%s%s\n",
            r->pattern[0] ? r->pattern : star_operations[r->operation].name, bytes, ranks,
            (long long)r->calls, r->method[0] ? r->method : "that of the nearest size", chosen, native, saved,
            r->in_place ? "  in place" : "", r->site[0] ? "  " : "", r->site);
}

static void write_summary(struct star_record *records, int count)
{
    enum { LINES_MOST = 40 };
    char estimator[64], strategy[64];
    if (count == 0) {
        fprintf(stderr,
                "startune: nothing to tune: no communicator of 2 or more ranks called a tuned operation more "
                "than %lld times\n",
                (long long)star_runtime.settings.tune_after);
        return;
    }
    fprintf(stderr, "startune: strategy %s, estimator %s; times per call on rank 0 of each communicator\n",
            setting_text("strategy", strategy, sizeof strategy),
            setting_text("estimator", estimator, sizeof estimator));
    fprintf(stderr, "startune: %-20s %8s %8s %9s  %-28s %9s %11s %10s\n", "operation", "bytes", "ranks",
            "calls", "method", "its time", "native's", "saved");
    double saved = 0;
    for (int i = 0; i < count; i++) {
        saved += records[i].saved;
        if (i < LINES_MOST)
            summary_line(&records[i]);
    }
    if (count > LINES_MOST)
        fprintf(stderr, "startune: and %d more; --report FILE has them\n", count - LINES_MOST);
    char total[32];
    fprintf(stderr, "startune: in all %s %s, tuning included, against native's time in this run\n",
            star_format_seconds(saved < 0 ? -saved : saved, total, sizeof total),
            saved < 0 ? "lost" : "saved");
}

void star_report_close(struct star_text *records, struct star_text *contexts, struct star_text *requests)
{
    star_agree_gather(records);
    if (star_runtime.settings.report[0]) {
        star_agree_gather(contexts);
        star_agree_gather(requests);
    }
    if (star_runtime.world_rank != 0)
        return;
    struct star_record *all = (struct star_record *)(void *)records->bytes;
    int count = merge(all, (int)(records->length / sizeof *all));
    if (star_runtime.settings.summary)
        write_summary(all, count);
    if (star_runtime.settings.report[0])
        write_report(contexts, requests);
}
