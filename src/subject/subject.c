/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/subject.h"
#include "subject/say.h"
#include "tuner/candidates.h"
#include "tuner/stall.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/random.h"
#include "util/seconds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool star_subject_make(struct star_subject *subject, int count)
{
    subject->count = subject->tallies = count;
    subject->native_before = STAR_UNKNOWN_SECONDS;
    subject->tally = calloc((size_t)count, sizeof *subject->tally);
    star_subject_renew(subject);
    return subject->tally != NULL;
}

bool star_subject_grow(struct star_subject *subject, int count)
{
    struct star_tally *tally = realloc(subject->tally, (size_t)count * sizeof *tally);
    if (tally == NULL)
        return false;
    memset(tally + 1, 0, (size_t)(count - 1) * sizeof *tally);
    free(tally->batches);
    tally->batches = NULL;
    tally->cold_calls += tally->calls;
    tally->cold_nanoseconds += tally->nanoseconds;
    tally->calls = tally->nanoseconds = 0;
    subject->batch_calls = 0;
    subject->batch_nanoseconds = 0;
    subject->tally = tally;
    subject->count = subject->tallies = count;
    star_subject_renew(subject);
    return true;
}

void star_subject_free_batches(struct star_subject *subject)
{
    for (int i = 0; subject->tally != NULL && i < subject->tallies; i++)
        free(subject->tally[i].batches);
}

void star_subject_free(struct star_subject *subject)
{
    star_tuner_free(subject->tuner);
    star_subject_free_batches(subject);
    free(subject->tally);
    free(subject->history);
}

size_t star_subject_bytes(const struct star_subject *subject)
{
    size_t batches = 0;
    for (int i = 0; i < subject->count; i++)
        batches += subject->tally[i].batches != NULL ? sizeof *subject->tally[i].batches : 0;
    return batches + (size_t)subject->count * sizeof *subject->tally +
           (size_t)subject->room * sizeof *subject->history +
           (subject->tuner ? star_tuner_bytes(subject->tuner) : 0);
}

void star_subject_renew(struct star_subject *subject)
{
    subject->decides = subject->tuner != NULL && star_tuner_count(subject->tuner) > 1;
    if (subject->tuner != NULL)
        subject->now = star_subject_alternative(subject, star_tuner_candidate(subject->tuner));
}

/* ------ Calls */

/* Calls from now on are those of another alternative. */
static void change(struct star_subject *subject, int alternative)
{
    struct star_tally *before = &subject->tally[subject->ran];
    before->all += subject->calls - subject->ran_since;
    subject->tally[alternative].returns += subject->tally[alternative].all > 0;
    subject->batch_nanoseconds = subject->batch_calls = 0; /* a batch is of calls in a row */
    subject->ran = alternative;
    subject->ran_since = subject->calls;
}

static void count_batch(struct star_subject *subject, struct star_tally *tally)
{
    STAR_FPENV_DEFAULT;
    double seconds = (double)subject->batch_nanoseconds * 1e-9;
    if (tally->batches == NULL) /* few alternatives ever have one */
        tally->batches = calloc(1, sizeof *tally->batches);
    struct star_batches *batches = tally->batches;
    if (batches != NULL) {
        batches->seconds += seconds;
        batches->squares += seconds * seconds;
        batches->products += seconds * batches->before; /* the first one has none before it */
        batches->before = seconds;
        batches->count++;
    }
    subject->batch_nanoseconds = subject->batch_calls = 0;
}

/* Of the alternative that runs. */
static void tally_call(struct star_subject *subject, bool counts, int64_t nanoseconds)
{
    struct star_tally *tally = &subject->tally[subject->ran];
    if (!counts) {
        tally->cold_calls++;
        tally->cold_nanoseconds += nanoseconds;
        return;
    }
    tally->calls++;
    tally->nanoseconds += nanoseconds;
    subject->batch_nanoseconds += nanoseconds;
    if (++subject->batch_calls == STAR_BATCH)
        count_batch(subject, tally);
}

bool star_subject_count(struct star_subject *subject, int alternative, int64_t nanoseconds)
{
    bool decides = subject->decides, now = alternative == subject->now;
    if (alternative != subject->ran)
        change(subject, alternative);
    tally_call(subject, now && (!decides || star_tuner_counts(subject->tuner)), nanoseconds);
    subject->calls++;
    subject->nanoseconds += nanoseconds;
    if (!decides || !now) /* it began before a request like it ended, and ranks agreed */
        return false;
    if (star_tuner_stage(subject->tuner) == STAR_MEASURE) {
        subject->tuning_calls++;
        subject->tuning_nanoseconds += nanoseconds;
    }
    bool due = star_tuner_record(subject->tuner, star_seconds(nanoseconds));
    star_subject_renew(subject);
    return due;
}

/* Where nothing is to be decided, sampling is this rank's own affair. */
static int stride_alone(const struct star_subject *subject, int alternative)
{
    enum { ENOUGH = 16, BRIEF = 3000 };
    const struct star_tally *tally = &subject->tally[alternative];
    if (subject->each || subject->sample <= 1 || tally->calls < ENOUGH)
        return 1;
    if (tally->nanoseconds <= BRIEF * tally->calls) /* as star_stride_of says, without its numbers */
        return subject->sample;
    STAR_FPENV_DEFAULT;
    return star_stride_of(subject->sample, (double)tally->nanoseconds * 1e-9 / (double)tally->calls);
}

void star_subject_leave_untimed(struct star_subject *subject, int alternative)
{
    if (!subject->decides)
        subject->untimed = star_draw_gap(&subject->random, stride_alone(subject, alternative));
    else /* what is to come must be made ready first */
        subject->untimed = alternative == subject->now ? star_tuner_gap(subject->tuner) : 0;
}

/* ------ The price */

void star_subject_pay(struct star_subject *subject, int64_t nanoseconds)
{
    subject->agreement_nanoseconds += nanoseconds;
    if (subject->tuner != NULL)
        star_tuner_spend(subject->tuner, star_seconds(nanoseconds));
}

void star_subject_pay_once(struct star_subject *subject, int64_t nanoseconds)
{
    STAR_FPENV_DEFAULT;
    double seconds = star_seconds(nanoseconds);
    if (subject->tuner != NULL && !star_is_stall(seconds, 0))
        star_tuner_spend_once(subject->tuner, seconds);
}

/* All but the ASKED seconds in which the leader asked the cost model, which are paid already. */
static void pay_for_agreement(struct star_subject *subject, int64_t nanoseconds, double asked)
{
    STAR_FPENV_DEFAULT;
    subject->agreements++;
    subject->agreement_nanoseconds += nanoseconds;
    star_tuner_spend(subject->tuner, fmax(star_seconds(nanoseconds) - asked, 0));
}

/* ------ Decisions */

/* Room for one more, which is none after so many of them, or when out of memory. */
static bool has_room(struct star_subject *subject)
{
    enum { FIRST = 4 };
    if (subject->switches < subject->room)
        return true;
    int room = subject->room > 0 ? 2 * subject->room : FIRST;
    struct star_switch *history =
        room <= STAR_HISTORY_MAX ? realloc(subject->history, (size_t)room * sizeof *history) : NULL;
    if (history == NULL)
        return false;
    subject->history = history;
    subject->room = room;
    return true;
}

/* In the subject's own memory, so that no calculation can be put off until the program's floating-point
 * environment is back. */
static void add_switch(struct star_subject *subject, enum star_reason reason, const struct star_seen *now)
{
    STAR_FPENV_DEFAULT;
    const struct star_seen *before = &subject->seen;
    int64_t timed = now->timed - before->timed;
    double seconds = (double)(now->nanoseconds - before->nanoseconds) * 1e-9;
    subject->history[subject->switches++] =
        (struct star_switch){.call = now->calls,
                             .seconds = (double)(star_now() - subject->began) * 1e-9,
                             .mean = timed > 0 ? seconds / (double)timed : STAR_UNKNOWN_SECONDS,
                             .alternative = subject->now,
                             .reason = (int16_t)reason,
                             .stage = (int16_t)star_tuner_stage(subject->tuner),
                             .delta = star_tuner_delta(subject->tuner)};
}

/* Once it is in force. */
static void note(struct star_subject *subject, enum star_reason reason)
{
    if (!subject->leads)
        return;
    struct star_seen now = {subject->calls, subject->calls - subject->skipped, subject->nanoseconds};
    if (has_room(subject))
        add_switch(subject, reason, &now);
    subject->seen = now;
    if (!star_subject_is_open(subject))
        subject->chosen = subject->now;
}

/* Of what runs from now on. */
static void begin_period(struct star_subject *subject)
{
    star_subject_renew(subject);
    subject->period_began = subject->tally[subject->now].calls;
}

/* It was the chosen one, if ranks told SPREAD of it. */
void star_subject_watched(struct star_subject *subject, int alternative, const struct star_spread *spread)
{
    STAR_FPENV_DEFAULT;
    struct star_tally *tally = &subject->tally[alternative];
    int64_t calls = tally->calls - subject->period_began;
    if (!(spread->mean > 0) || calls <= 0)
        return;
    tally->watched_calls += calls;
    tally->watched += spread->counted * (double)calls;
}

void star_subject_decided(struct star_subject *subject, const struct star_decision *decision,
                          int64_t nanoseconds)
{
    pay_for_agreement(subject, nanoseconds, decision->asked);
    begin_period(subject);
    if (subject->says)
        star_subject_say(subject, decision);
    note(subject, (enum star_reason)decision->reason);
}

void star_subject_recalled(struct star_subject *subject, const struct star_recollection *known, int count,
                           double confidence)
{
    for (int i = 0; i < count; i++)
        if (known[i].candidate == 0 && subject->meets) {
            subject->native_before = known[i].mean;
            subject->native_deviation = known[i].deviation;
        }
    subject->recalled = count;
    subject->confidence = confidence;
    star_subject_renew(subject);
    if (star_subject_is_open(subject) || !subject->leads)
        return;
    const struct star_decision recalled = {.stage = STAR_MONITOR,
                                           .reason = STAR_RECALLED,
                                           .count = 1,
                                           .list = {(int16_t)star_tuner_candidate(subject->tuner)}};
    if (subject->says)
        star_subject_say(subject, &recalled);
    note(subject, STAR_RECALLED);
}

void star_subject_recall(struct star_subject *subject, const struct star_recollection *known, int64_t count,
                         double confidence)
{
    if (count > 0 && star_tuner_recall(subject->tuner, known, (int)count, confidence))
        star_subject_recalled(subject, known, (int)count, confidence);
}

bool star_subject_leave_out(struct star_subject *subject, enum star_reason reason)
{
    if (subject->says)
        star_subject_say_left_out(subject, reason);
    if (star_tuner_shut_out(subject->tuner))
        return true;
    begin_period(subject);
    note(subject, reason);
    return false;
}
