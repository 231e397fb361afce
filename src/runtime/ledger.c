/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 of each communicator remembers of its contexts, until the end of the program: one record for
 * each kind of context, so that thousands of short-lived communicators stay a few lines, and, for the report,
 * the first contexts in full. */
#include "runtime/report.h"
#include "runtime/runtime.h"
#include "tuner/sample.h"
#include "util/clock.h"
#include "util/fpenv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MOST = 4096, FULL_MOST = 1000, FULL_BYTES_MOST = 16 << 20 };

static struct star_ledger ledger;
static int full, full_requests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_of_kind(const struct star_record *a, const struct star_record *b)
{
    return a->operation == b->operation && a->bytes == b->bytes && a->ranks == b->ranks &&
           a->in_place == b->in_place && strcmp(a->method, b->method) == 0 &&
           strcmp(a->pattern, b->pattern) == 0 && strcmp(a->site, b->site) == 0;
}

static void merge(struct star_record *into, const struct star_record *record)
{
    into->communicators += record->communicators;
    into->calls += record->calls;
    into->seconds += record->seconds;
    into->chosen_calls += record->chosen_calls;
    into->chosen_seconds += record->chosen_seconds;
    into->native_calls += record->native_calls;
    into->native_seconds += record->native_seconds;
    into->native_once = into->native_once || record->native_once;
    into->saved += record->saved;
    into->tuning += record->tuning;
}

int star_records_add(struct star_record *records, int count, const struct star_record *record)
{
    int i = 0;
    while (i < count && !is_of_kind(&records[i], record))
        i++;
    if (i < count)
        merge(&records[i], record);
    else
        records[count++] = *record;
    return count;
}

/* The lock is held. */
static void keep(const struct star_record *record)
{
    struct star_text *records = &ledger.records;
    int count = (int)(records->length / sizeof *record);
    star_text_append(records, (const char *)record, sizeof *record); /* room for one more */
    if (records->failed)
        return;
    count = star_records_add((struct star_record *)(void *)records->bytes, count, record);
    records->length = (size_t)(count < RECORDS_MOST ? count : RECORDS_MOST) * sizeof *record;
}

int star_verified_add(struct star_verified *records, int count, const struct star_verified *record)
{
    int i = 0;
    while (i < count && strcmp(records[i].method, record->method) != 0)
        i++;
    if (i == count) {
        records[count++] = *record;
        return count;
    }
    records[i].uses += record->uses;
    records[i].wrong += record->wrong;
    records[i].rounded += record->rounded;
    records[i].around += record->around;
    records[i].unable += record->unable;
    return count;
}

void star_ledger_add_verified(const struct star_verified *record)
{
    struct star_text *records = &ledger.verified;
    pthread_mutex_lock(&lock);
    int count = (int)(records->length / sizeof *record);
    star_text_append(records, (const char *)record, sizeof *record); /* room for one more */
    if (!records->failed) {
        count = star_verified_add((struct star_verified *)(void *)records->bytes, count, record);
        records->length = (size_t)(count < RECORDS_MOST ? count : RECORDS_MOST) * sizeof *record;
    }
    pthread_mutex_unlock(&lock);
}

/* Rank 0 of MPI_COMM_WORLD gathers the texts of all ranks: together they may have twice what it may have. */
static bool has_room(const struct star_text *objects, int count)
{
    int others = star_runtime.world_size - 1;
    size_t most = FULL_BYTES_MOST / (star_runtime.world_rank == 0 || others < 1 ? 1 : (size_t)others);
    return count < FULL_MOST && objects->length < most;
}

static int current_of(const struct star_context *context)
{
    int fastest = context->tuner ? star_tuner_fastest(context->tuner) : 0;
    return fastest < 0 ? context->chosen : fastest;
}

double star_context_seconds(const struct star_context *context)
{
    const struct star_tally *tally = &context->tally[current_of(context)];
    double mean = tally->calls > 0 ? (double)tally->nanoseconds / (double)tally->calls : 0;
    return ((double)context->nanoseconds + mean * (double)context->skipped) * 1e-9;
}

void star_record_weigh(struct star_record *record, const struct star_tuner *tuner, bool stays,
                       const struct star_expense *expense)
{
    int count;
    const double *samples = star_tuner_samples(tuner, 0, &count);
    bool remembered = star_tuner_stage(tuner) == STAR_MONITOR, own = stays && record->chosen_calls > 0;
    if (count == 0 && !(own && remembered))
        return;
    /* Native that stays is its own measure, also where it runs as it is remembered, but not before anything
     * is known of it. Else its disturbed calls are not held against it; and of what it took, in the mean over
     * the ranks, this rank's part counts, as its time is what RECORD has. */
    double native = own ? record->chosen_seconds / (double)record->chosen_calls
                        : star_filtered_mean(samples, count) * star_tuner_part(tuner);
    record->native_calls = count > 0 ? count : record->chosen_calls;
    record->native_once = !stays && star_tuner_visits(tuner, 0) == 1;
    record->native_seconds = native * (double)record->native_calls;
    double agreeing = (double)expense->agreement_nanoseconds * 1e-9;
    record->saved = native * (double)(record->calls - expense->first_calls) -
                    (record->seconds - (double)expense->first_nanoseconds * 1e-9) - agreeing;
    record->tuning =
        (double)expense->tuning_nanoseconds * 1e-9 - native * (double)expense->tuning_calls + agreeing;
}

struct star_record star_record_of(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = {.operation = context->operation,
                                 .ranks = state->size,
                                 .in_place = context->facts.in_place,
                                 .communicators = 1,
                                 .bytes = context->facts.bytes,
                                 .calls = context->calls,
                                 .seconds = star_context_seconds(context)};
    int current = current_of(context);
    star_method_format(&context->candidates.at[current], record.method, sizeof record.method);
    if (context->site != 0)
        memcpy(record.site, context->caller, sizeof record.site);
    record.chosen_calls = context->tally[current].calls;
    record.chosen_seconds = (double)context->tally[current].nanoseconds * 1e-9;
    struct star_expense expense = {context->tuning_nanoseconds, context->tuning_calls,
                                   context->agreement_nanoseconds, context->first_nanoseconds,
                                   context->first_calls};
    if (context->tuner && star_is_native(&context->candidates.at[0]))
        star_record_weigh(&record, context->tuner, current == 0, &expense);
    return record;
}

/* The lock is held. */
static void keep_context(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = star_record_of(state, context);
    keep(&record);
    if (!star_report_is_wanted())
        return;
    if (has_room(&ledger.contexts, full)) {
        star_report_context(&ledger.contexts, state, context);
        full++;
    } else
        ledger.left_out++;
}

void star_ledger_add_communicator(const struct star_communicator *state)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&lock);
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        if (context->calls > 0) {
            keep_context(state, context);
            star_wisdom_keep(state, context);
        }
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (state->other_calls[i] > 0) {
            struct star_record record = {.operation = (enum star_operation)i,
                                         .ranks = state->size,
                                         .communicators = 1,
                                         .bytes = STAR_OTHER_SIZES,
                                         .calls = state->other_calls[i]};
            keep(&record);
        }
    pthread_mutex_unlock(&lock);
}

void star_ledger_add_request(const struct star_record *record, const struct star_text *json)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&lock);
    keep(record);
    if (json->length > 0 && has_room(&ledger.requests, full_requests)) {
        star_text_append(&ledger.requests, json->bytes, json->length);
        full_requests++;
    } else
        ledger.left_out += json->length > 0;
    pthread_mutex_unlock(&lock);
}

void star_ledger_close(void)
{
    star_report_close(&ledger);
    star_text_free(&ledger.records);
    star_text_free(&ledger.verified);
    star_text_free(&ledger.contexts);
    star_text_free(&ledger.requests);
}
