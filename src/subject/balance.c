/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/balance.h"
#include "tuner/sample.h"
#include "util/fpenv.h"

int star_subject_chosen(const struct star_subject *subject)
{
    if (!star_subject_is_open(subject))
        return subject->now;
    int fastest = star_tuner_fastest(subject->tuner);
    return fastest < 0 ? subject->chosen : star_subject_alternative(subject, fastest);
}

double star_subject_seconds(const struct star_subject *subject)
{
    const struct star_tally *tally = &subject->tally[star_subject_chosen(subject)];
    double mean = tally->calls > 0 ? (double)tally->nanoseconds / (double)tally->calls : 0;
    return ((double)subject->nanoseconds + mean * (double)subject->skipped) * 1e-9;
}

/* Against native. STAYS: it is the chosen one. */
static void weigh(struct star_balance *balance, const struct star_subject *subject, bool stays)
{
    int count;
    const struct star_tuner *tuner = subject->tuner;
    const double *samples = star_tuner_samples(tuner, 0, &count);
    bool remembered = star_tuner_stage(tuner) == STAR_MONITOR, own = stays && balance->chosen_calls > 0;
    if (count == 0 && !(own && remembered))
        return;
    /* Native that stays is its own measure, also where it runs as it is remembered, but not before anything
     * is known of it. Else its disturbed calls are not held against it; and of what it took, in the mean over
     * the ranks, this rank's part counts, as its time is what the balance has. */
    double native = own ? balance->chosen_seconds / (double)balance->chosen_calls
                        : star_filtered_mean(samples, count) * star_tuner_part(tuner);
    balance->native_calls = count > 0 ? count : balance->chosen_calls;
    balance->native_once = !stays && star_tuner_visits(tuner, 0) == 1;
    balance->native_seconds = native * (double)balance->native_calls;
    double agreeing = (double)subject->agreement_nanoseconds * 1e-9;
    balance->saved = native * (double)(balance->calls - subject->first_calls) -
                     (balance->seconds - (double)subject->first_nanoseconds * 1e-9) - agreeing;
    balance->tuning =
        (double)subject->tuning_nanoseconds * 1e-9 - native * (double)subject->tuning_calls + agreeing;
}

struct star_balance star_balance_of(const struct star_subject *subject, bool comparable)
{
    STAR_FPENV_DEFAULT;
    int chosen = star_subject_chosen(subject);
    struct star_balance balance = {.calls = subject->calls,
                                   .seconds = star_subject_seconds(subject),
                                   .chosen_calls = subject->tally[chosen].calls,
                                   .chosen_seconds = (double)subject->tally[chosen].nanoseconds * 1e-9};
    if (subject->tuner != NULL && comparable)
        weigh(&balance, subject, chosen == 0);
    return balance;
}

void star_balance_add(struct star_balance *into, const struct star_balance *other)
{
    into->calls += other->calls;
    into->seconds += other->seconds;
    into->chosen_calls += other->chosen_calls;
    into->chosen_seconds += other->chosen_seconds;
    into->native_calls += other->native_calls;
    into->native_seconds += other->native_seconds;
    into->native_once = into->native_once || other->native_once;
    into->saved += other->saved;
    into->tuning += other->tuning;
}
