/* SPDX-License-Identifier: BSD-3-Clause
 * Records of contexts and requests, for the summary and the report. */
#include "runtime/records.h"
#include "algorithms/method.h"
#include "runtime/state.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/sample.h"
#include "tuner/tuner.h"

#include <string.h>

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
