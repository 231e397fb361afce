/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/balance.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/seconds.h"

#include <math.h>

int star_subject_chosen(const struct star_subject *subject)
{
    if (!star_subject_is_open(subject))
        return subject->now;
    int fastest = star_tuner_fastest(subject->tuner);
    return fastest < 0 ? subject->chosen : star_subject_alternative(subject, fastest);
}

/* With so many degrees of freedom a mean is within this many of its standard errors, in 95 of 100 cases:
 * Student's t, by its table, as a program may have thousands of contexts. */
static double student(int64_t freedom)
{
    static const double few[] = {12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    enum { FEW = sizeof few / sizeof *few };
    if (freedom < 1)
        return INFINITY;
    return freedom <= FEW ? few[freedom - 1] : 1.96 + 2.6 / (double)freedom;
}

/* What calls of an alternative took in the mean, and how far that may be off. */
struct mean {
    double seconds, error;
    int64_t calls; /* that it is the mean of */
};

/* Of the mean, by the scatter of batches. Where a batch is like the one before it, there is less in them than
 * so many independent ones would tell. */
static double deviation_of(const struct star_tally *tally)
{
    const struct star_batches *of = tally->batches;
    double batches = (double)of->count, whole = of->seconds / batches,
           scatter = fmax(of->squares / batches - whole * whole, 0),
           together = of->products / (batches - 1) - whole * whole;
    double alike = scatter > 0 ? fmax(fmin(together / scatter, 0.9), 0) : 0;
    double batch = scatter / (batches - 1) * (1 + alike) / (1 - alike);
    return sqrt(batch * batches * STAR_BATCH / (double)tally->calls) / STAR_BATCH;
}

static struct mean mean_of(const struct star_tally *tally)
{
    struct mean mean = {.calls = tally->calls, .error = INFINITY};
    if (tally->calls == 0)
        return mean;
    mean.seconds = (double)tally->nanoseconds * 1e-9 / (double)tally->calls;
    if (tally->batches != NULL && tally->batches->count > 1)
        mean.error = student(tally->batches->count - 1) * deviation_of(tally);
    return mean;
}

/* Calls of an alternative, timed or not. */
static int64_t all_of(const struct star_subject *subject, int i)
{
    int64_t going_on = i == subject->ran ? subject->calls - subject->ran_since : 0;
    return subject->tally[i].all + going_on;
}

/* What they took in all: ERROR of it. */
static double sum_of(const struct star_subject *subject, int i, double *error)
{
    const struct star_tally *tally = &subject->tally[i];
    int64_t timed = tally->calls + tally->cold_calls, all = all_of(subject, i);
    double seconds = (double)(tally->nanoseconds + tally->cold_nanoseconds) * 1e-9;
    struct mean mean = mean_of(tally);
    *error = 0;
    if (all <= timed)
        return seconds;
    if (tally->calls == 0) { /* all that is known are first calls, of which others may be faster */
        mean.seconds = timed > 0 ? seconds / (double)timed : 0;
        mean.error = mean.seconds;
    }
    *error = (double)(all - timed) * fmin(mean.error, mean.seconds);
    return seconds + (double)(all - timed) * mean.seconds;
}

static const double one_visit = 0.25;

double star_balance_error(const struct star_subject *subject, int alternative)
{
    struct mean mean = mean_of(&subject->tally[alternative]);
    double error = fmin(mean.error, mean.seconds);
    if (alternative != star_subject_chosen(subject) && subject->tally[alternative].returns == 0)
        error = fmax(error, one_visit * mean.seconds);
    return mean.calls > 0 ? error : STAR_UNKNOWN_SECONDS;
}

/* Native's mean, of this run or of earlier ones, for CALLS calls of others. */
static struct mean native_mean(const struct star_subject *subject, int64_t calls, bool *remembered)
{
    struct mean native = mean_of(&subject->tally[0]);
    *remembered = native.calls == 0 && star_is_known(subject->native_before);
    if (*remembered) {
        native.seconds = subject->native_before;
        native.error = fmax(2 * subject->native_deviation, one_visit * native.seconds);
    } else if (subject->tally[0].returns == 0 && calls > 4 * native.calls)
        /* Nothing tells how far later calls differ from those of one visit, maybe the program's first ones.
         */
        native.error = fmax(native.error, one_visit * native.seconds);
    native.error = fmin(native.error, native.seconds);
    return native;
}

bool star_balance_is_clear(const struct star_balance *balance)
{
    return balance->known && fabs(balance->saved) > balance->error;
}

/* Against native. */
static void weigh(struct star_balance *balance, const struct star_subject *subject, int chosen)
{
    int64_t others = 0, wasted_calls = 0;
    double seconds = 0, squares = 0, wasted = 0, error;
    for (int i = 1; i < subject->count; i++) {
        double sum = sum_of(subject, i, &error);
        others += all_of(subject, i);
        seconds += sum;
        squares += error * error;
        wasted_calls += i == chosen ? 0 : all_of(subject, i);
        wasted += i == chosen ? 0 : sum;
    }
    struct mean native = native_mean(subject, others, &balance->remembered);
    balance->known = others == 0 || native.calls > 0 || balance->remembered;
    if (!balance->known)
        return;
    double agreeing = (double)subject->agreement_nanoseconds * 1e-9, off = (double)others * native.error;
    balance->native_once = chosen != 0 && native.calls > 0 && subject->tally[0].returns == 0;
    balance->native_calls = native.calls;
    balance->native_seconds = native.seconds * (double)native.calls;
    balance->error = sqrt(squares + off * off);
    balance->saved = (double)others * native.seconds - seconds - agreeing;
    if (!star_balance_is_clear(balance)) /* then the figure itself says little: no wonders are told */
        balance->saved = fmax(fmin(balance->saved, balance->seconds), -balance->seconds);
    balance->tuning = wasted - (double)wasted_calls * native.seconds + agreeing;
}

void star_balance_bound(struct star_balance *balance, double seconds)
{
    double beyond = fmax(fmax(balance->seconds, -balance->saved) - seconds, 0);
    balance->seconds = fmin(balance->seconds, seconds);
    balance->saved = fmax(balance->saved, -seconds);
    balance->error += beyond;
}

struct star_balance star_balance_of(const struct star_subject *subject, bool comparable)
{
    STAR_FPENV_DEFAULT;
    int chosen = star_subject_chosen(subject);
    double error;
    struct star_balance balance = {.calls = subject->calls,
                                   .chosen_calls = subject->tally[chosen].calls,
                                   .chosen_seconds = (double)subject->tally[chosen].nanoseconds * 1e-9};
    for (int i = 0; i < subject->count; i++)
        balance.seconds += sum_of(subject, i, &error);
    if (comparable && (subject->tuner != NULL || subject->count == 1)) {
        weigh(&balance, subject, chosen);
        balance.unknown_calls = balance.known ? 0 : balance.calls;
        balance.remembered_calls = balance.remembered ? balance.calls : 0;
    } else if (!comparable)
        balance.unknown_calls = balance.calls;
    if (subject->began > 0)
        star_balance_bound(&balance, (double)star_since(subject->began) * 1e-9);
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
    into->unknown_calls += other->unknown_calls;
    into->remembered_calls += other->remembered_calls;
    into->known = into->known || other->known;
    into->remembered = into->remembered || other->remembered;
    into->native_once = into->native_once || other->native_once;
    into->saved += other->saved;
    into->error = sqrt(into->error * into->error + other->error * other->error);
    into->tuning += other->tuning;
}
