/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 of each communicator remembers of its contexts, until the end of the program: one record for
 * each kind of context, so that thousands of short-lived communicators stay a few lines, and, for the report,
 * the first contexts in full. */
#include "runtime/ledger.h"
#include "algorithms/operations.h"
#include "runtime/background.h"
#include "runtime/begun.h"
#include "runtime/lasting.h"
#include "runtime/matrix.h"
#include "runtime/report.h"
#include "runtime/session.h"
#include "runtime/state.h"
#include "runtime/wisdom.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/text.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MOST = 4096, FULL_MOST = 1000, FULL_BYTES_MOST = 16 << 20 };

static struct star_ledger ledger;
static int full, full_requests, few;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

void star_ledger_add_compared(void)
{
    pthread_mutex_lock(&lock);
    ledger.compared++;
    pthread_mutex_unlock(&lock);
}

void star_ledger_add_unchecked(void)
{
    pthread_mutex_lock(&lock);
    ledger.unchecked++;
    pthread_mutex_unlock(&lock);
}

/* Rank 0 of MPI_COMM_WORLD gathers the texts of all ranks: together they may have twice what it may have. */
static bool has_room(const struct star_text *objects, int count)
{
    int others = star_runtime.world_size - 1;
    size_t most = FULL_BYTES_MOST / (star_runtime.world_rank == 0 || others < 1 ? 1 : (size_t)others);
    return count < FULL_MOST && objects->length < most;
}

/* Communicators of a moment may leave hundreds of contexts that were never set up, each of a call or two.
 * Those that took less than a hundredth of the run are told by their operation alone: all but a few of rank 0
 * of MPI_COMM_WORLD, which need not be sent. */
static bool is_minor(const struct star_context *context, const struct star_record *record)
{
    enum { FEW = 32 };
    const double share = 0.01;
    bool little =
        context->early && record->balance.seconds < share * 1e-9 * (double)star_since(star_runtime.began);
    return little && (star_runtime.world_rank != 0 || few++ >= FEW);
}

/* The lock is held. */
static void keep_context(const struct star_communicator *state, const struct star_context *context)
{
    struct star_record record = star_record_of(state, context);
    bool minor = is_minor(context, &record);
    if (minor) {
        record.bytes = STAR_OTHER_SIZES;
        record.in_place = false;
        record.site[0] = 0;
    }
    keep(&record);
    if (minor || !star_report_is_wanted())
        return;
    if (has_room(&ledger.contexts, full)) {
        star_report_context(&ledger.contexts, state, context);
        full++;
    } else
        ledger.left_out++;
}

/* An agreement may take the run so many times as long again as this rank sees: ranks no longer run ahead of
 * each other (measured on emulated clusters, from outside). */
static const double holds_up = 4;

/* How much more agreements may have held up, in seconds. Where all ranks wait for each other in the calls as
 * well, a rank that waits for others in an agreement waits less in the next call, and both are counted. */
static double unsure_of(const struct star_context *context)
{
    const struct star_subject *subject = &context->subject;
    double seen = (double)subject->agreement_nanoseconds * 1e-9, waited = 0;
    if (subject->tuner != NULL && star_operation_awaits_all(context->operation))
        waited = fmin(star_tuner_waited(subject->tuner), seen);
    return holds_up * (seen - waited);
}

/* What it saved on this rank, whichever rank remembers it: communicators of other ranks are used at the same
 * time. The lock is held. */
static void weigh_context(const struct star_context *context)
{
    struct star_balance balance =
        star_balance_of(&context->subject, star_is_native(&context->candidates.at[0]));
    star_balance_add(&ledger.own, &balance);
    ledger.unsure += unsure_of(context);
}

void star_ledger_drop(const struct star_context *context)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&lock);
    weigh_context(context);
    pthread_mutex_unlock(&lock);
}

static void weigh(const struct star_communicator *state)
{
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        weigh_context(context);
    ledger.calls += state->calls;
    struct star_balance begun = star_begun_balance(state);
    star_balance_add(&ledger.own, &begun);
    begun = star_background_balance(state);
    star_balance_add(&ledger.own, &begun);
}

void star_ledger_add_communicator(const struct star_communicator *state)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&lock);
    weigh(state);
    for (const struct star_context *context = state->contexts.first; context && state->rank == 0;
         context = context->next)
        if (context->subject.calls > 0) {
            keep_context(state, context);
            if (!context->early)
                star_wisdom_keep(state, context);
        }
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (state->other_calls[i] > 0 && state->rank == 0) {
            struct star_record record = {.operation = (enum star_operation)i,
                                         .ranks = state->size,
                                         .communicators = 1,
                                         .bytes = STAR_OTHER_SIZES,
                                         .balance.calls = state->other_calls[i]};
            keep(&record);
        }
    if (state->rank == 0 && star_report_is_wanted() && has_room(&ledger.begun, 0)) {
        star_begun_tell(state, &ledger.begun);
        star_background_tell(state, &ledger.begun);
    }
    pthread_mutex_unlock(&lock);
}

void star_ledger_add_request(const struct star_record *record, const struct star_text *json, bool leads)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&lock);
    star_balance_add(&ledger.own, &record->balance);
    if (!leads) {
        pthread_mutex_unlock(&lock);
        return;
    }
    keep(record);
    if (json->length > 0 && has_room(&ledger.requests, full_requests)) {
        star_text_append(&ledger.requests, json->bytes, json->length);
        full_requests++;
    } else
        ledger.left_out += json->length > 0;
    pthread_mutex_unlock(&lock);
}

void star_ledger_add_balance(const struct star_balance *balance)
{
    pthread_mutex_lock(&lock);
    star_balance_add(&ledger.own, balance);
    pthread_mutex_unlock(&lock);
}

void star_ledger_collect(struct star_text *warnings, struct star_text *lines)
{
    STAR_FPENV_DEFAULT;
    struct star_balance price = star_price_balance(ledger.calls);
    star_balance_add(&ledger.own, &price);
    star_balance_bound(&ledger.own, (double)star_since(star_runtime.began) * 1e-9);
    if (star_report_is_wanted()) {
        star_matrix_tell(&ledger.matrix);
        star_lasting_tell(&ledger.begun);
    }
    star_report_collect(&ledger, warnings, lines);
}

void star_ledger_close(void)
{
    if (star_runtime.world_rank == 0)
        star_report_tell(&ledger);
    star_text_free(&ledger.records);
    star_text_free(&ledger.verified);
    star_text_free(&ledger.contexts);
    star_text_free(&ledger.requests);
    star_text_free(&ledger.matrix);
    star_text_free(&ledger.begun);
}
