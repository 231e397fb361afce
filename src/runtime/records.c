/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/records.h"
#include "algorithms/method.h"
#include "util/hash.h"

#include <string.h>

static uint64_t kind_of(const struct star_record *record)
{
    uint64_t hash = star_hash_add(star_hash_empty, (uint64_t)record->operation);
    hash = star_hash_add(hash, (uint64_t)record->bytes);
    hash = star_hash_add(hash, (uint64_t)record->ranks * 4 + (uint64_t)record->in_place * 2 + record->early);
    hash = star_hash_text(hash, record->method);
    hash = star_hash_text(hash, record->pattern);
    return star_hash_text(hash, record->site);
}

static bool is_of_kind(const struct star_record *a, const struct star_record *b)
{
    return a->operation == b->operation && a->bytes == b->bytes && a->ranks == b->ranks &&
           a->in_place == b->in_place && a->early == b->early && strcmp(a->method, b->method) == 0 &&
           strcmp(a->pattern, b->pattern) == 0 && strcmp(a->site, b->site) == 0;
}

static void merge(struct star_record *into, const struct star_record *record)
{
    into->communicators += record->communicators;
    star_balance_add(&into->balance, &record->balance);
}

int star_records_add(struct star_record *records, int count, const struct star_record *record)
{
    uint64_t kind = kind_of(record);
    int i = 0;
    while (i < count && !(records[i].kind == kind && is_of_kind(&records[i], record)))
        i++;
    if (i < count) {
        merge(&records[i], record);
        return count;
    }
    records[count] = *record;
    records[count].kind = kind;
    return count + 1;
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

struct star_record star_record_of(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = {
        .operation = context->operation,
        .ranks = state->size,
        .in_place = context->facts.in_place,
        .communicators = 1,
        .bytes = context->facts.bytes,
        .early = context->early,
        .balance = star_balance_of(&context->subject, star_is_native(&context->candidates.at[0]))};
    const struct star_method *chosen = &context->candidates.at[star_subject_chosen(&context->subject)];
    star_method_format(chosen, record.method, sizeof record.method);
    record.replaced = !star_is_native(chosen);
    if (context->site != 0)
        memcpy(record.site, context->caller, sizeof record.site);
    return record;
}
