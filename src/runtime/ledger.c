/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 of each communicator remembers of its contexts, until the end of the program: one record for
 * each kind of context, so that thousands of short-lived communicators stay a few lines, and, for the report,
 * the first contexts in full. */
#include "runtime/report.h"
#include "runtime/runtime.h"
#include "util/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MOST = 4096, FULL_MOST = 1000 };

static struct {
    struct star_record *records;
    int count, full, full_requests;
    int64_t left_out; /* contexts that are in no record */
    struct star_text contexts, requests;
    pthread_mutex_t lock;
} ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool star_record_merge(struct star_record *into, const struct star_record *record)
{
    if (into->operation != record->operation || strcmp(into->pattern, record->pattern) ||
        into->bytes != record->bytes || into->ranks != record->ranks || into->in_place != record->in_place ||
        strcmp(into->method, record->method) || strcmp(into->site, record->site))
        return false;
    into->communicators += record->communicators;
    into->calls += record->calls;
    into->seconds += record->seconds;
    into->chosen_calls += record->chosen_calls;
    into->chosen_seconds += record->chosen_seconds;
    into->native_calls += record->native_calls;
    into->native_seconds += record->native_seconds;
    into->saved += record->saved;
    into->tuning += record->tuning;
    return true;
}

static void keep(const struct star_record *record)
{
    for (int i = 0; i < ledger.count; i++)
        if (star_record_merge(&ledger.records[i], record))
            return;
    struct star_record *records = NULL;
    if (ledger.count < RECORDS_MOST)
        records = realloc(ledger.records, ((size_t)ledger.count + 1) * sizeof *records);
    if (records == NULL) {
        ledger.left_out++;
        return;
    }
    ledger.records = records;
    records[ledger.count++] = *record;
}

static int current_of(const struct star_context *context)
{
    return context->tuner ? star_tuner_candidate(context->tuner) : 0;
}

/* Calls that were not timed count as those of the method that were. */
static double seconds_of(const struct star_context *context)
{
    const struct star_tally *tally = &context->tally[current_of(context)];
    double mean = tally->calls > 0 ? (double)tally->nanoseconds / (double)tally->calls : 0;
    return ((double)context->nanoseconds + mean * (double)context->skipped) * 1e-9;
}

struct star_record star_record_of(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = {.operation = context->operation,
                                 .ranks = state->size,
                                 .in_place = context->facts.in_place,
                                 .communicators = 1,
                                 .bytes = context->facts.bytes,
                                 .calls = context->calls,
                                 .seconds = seconds_of(context)};
    int current = current_of(context);
    star_method_format(&context->candidates.at[current], record.method, sizeof record.method);
    memcpy(record.site, context->site_name, sizeof record.site);
    record.chosen_calls = context->tally[current].calls;
    record.chosen_seconds = (double)context->tally[current].nanoseconds * 1e-9;
    bool has_native = star_is_native(&context->candidates.at[0]);
    int count = 0;
    const double *samples =
        context->tuner && has_native ? star_tuner_samples(context->tuner, 0, &count) : NULL;
    if (samples == NULL)
        return record;
    /* Native that stays is its own measure. Else its disturbed calls are not held against it. */
    double native = star_filtered_mean(samples, count);
    if (current == 0 && record.chosen_calls > 0)
        native = record.chosen_seconds / (double)record.chosen_calls;
    record.native_calls = count;
    record.native_seconds = native * (double)record.native_calls;
    double agreeing = (double)context->agreement_nanoseconds * 1e-9;
    record.saved = native * (double)context->calls - record.seconds - agreeing;
    record.tuning =
        (double)context->tuning_nanoseconds * 1e-9 - native * (double)context->tuning_calls + agreeing;
    return record;
}

void star_ledger_add(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = star_record_of(state, context);
    pthread_mutex_lock(&ledger.lock);
    keep(&record);
    if (star_runtime.settings.report[0] && ledger.full < FULL_MOST) {
        star_report_context(&ledger.contexts, state, context);
        ledger.full++;
    }
    pthread_mutex_unlock(&ledger.lock);
}

void star_ledger_add_communicator(const struct star_communicator *state)
{
    for (int i = 0; i < STAR_BUCKETS; i++)
        for (const struct star_context *context = state->buckets[i]; context; context = context->next)
            if (context->calls > 0) {
                star_ledger_add(state, context);
                star_wisdom_keep(state, context);
            }
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (state->other_calls[i] > 0) {
            struct star_record record = {.operation = (enum star_operation)i,
                                         .ranks = state->size,
                                         .communicators = 1,
                                         .bytes = STAR_OTHER_SIZES,
                                         .calls = state->other_calls[i]};
            pthread_mutex_lock(&ledger.lock);
            keep(&record);
            pthread_mutex_unlock(&ledger.lock);
        }
}

void star_ledger_add_request(const struct star_record *record, const struct star_text *json)
{
    pthread_mutex_lock(&ledger.lock);
    keep(record);
    if (json->length > 0 && ledger.full_requests < FULL_MOST) {
        star_text_append(&ledger.requests, json->bytes, json->length);
        ledger.full_requests++;
    }
    pthread_mutex_unlock(&ledger.lock);
}

void star_ledger_close(void)
{
    struct star_text records = {0};
    star_text_append(&records, (const char *)ledger.records, (size_t)ledger.count * sizeof *ledger.records);
    star_report_close(&records, &ledger.contexts, &ledger.requests);
    star_text_free(&records);
    star_text_free(&ledger.contexts);
    star_text_free(&ledger.requests);
    free(ledger.records);
    ledger.records = NULL;
    ledger.count = 0;
}
