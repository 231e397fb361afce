/* SPDX-License-Identifier: BSD-3-Clause
 * What earlier runs saw. It orders what is measured: who was fast before is measured first. If it is sure
 * enough, nothing is measured: the method that was best runs at once, and is compared with what is remembered
 * of it, in short periods; the first of them may be disturbed, and what a program calls first is slow. If
 * none comes up to it, the machine is another one than it was, and tuning begins as if there were no memory,
 * but for the order.
 *
 * Anybody may have written what is remembered. So it is worth a few calls until it is confirmed, and single
 * ones where it proves far wrong; and what is hardly possible is measured first. */
#include "tuner/trust.h"
#include "tuner/evidence.h"
#include "tuner/expect.h"
#include "tuner/memory.h"
#include "util/seconds.h"

#include <math.h>

/* How sure a memory must be that is believed, and how many periods it has to show itself right. */
static const double sure_enough = 0.5;
/* The race goes on looking at what is not remembered, so that less will do; and where candidates are many, as
 * with a topology, few of them are worth a visit: half of what two of them have that were seen at this very
 * point. */
static const double most_for_race = 0.001;

enum { PERIODS = 3, FIRST = 4 /* calls of the first one at most, which alone may convince */ };
/* Networks on which others are so many times as fast as native were never seen: one of the two is wrong. */
static const double hardly_possible = 32;
/* A period takes so long at least, where that is not too many calls. */
static const double period_seconds = 100e-6;
/* How much single calls differ at most, and where few were seen; so many deviations are none of chance. */
static const double most_deviation = 0.5, sure = 3;

static bool is_sound(const struct star_standing *standing, const struct star_recollection *known, int count)
{
    bool listed[STAR_CANDIDATES_MAX] = {false};
    for (int i = 0; i < count; i++) {
        int candidate = known[i].candidate;
        if (candidate < 0 || candidate >= standing->count || listed[candidate] ||
            !isgreater(known[i].count, 0) || !isgreater(known[i].mean, 0) || isinf(known[i].mean) ||
            !isgreaterequal(known[i].deviation, 0))
            return false;
        listed[candidate] = true;
    }
    return count >= 0;
}

/* The standard error of what is remembered, and of a period of as many calls as are given, as a share. */
static double spread(const struct star_recollection *known, double calls)
{
    enum { TELLING = 4 };
    double share = known->count >= TELLING ? known->deviation / known->mean : most_deviation;
    return fmin(share, most_deviation) * sqrt(1 / known->count + 1 / calls);
}

/* Of what is known of long runs: the best, counting against a method that it was seldom seen. −1: nobody. */
static int best_of(const struct star_recollection *known, int count)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double most = known[i].mean * (1 + spread(&known[i], INFINITY));
        if (round(known[i].count) >= STAR_LONG_RUN && most < least) {
            best = i;
            least = most;
        }
    }
    return best;
}

/* Where calls overlap in the long run one alone says little: all ranks have just waited for each other. */
static int64_t period_calls(const struct star_standing *standing, double seconds)
{
    enum { MOST = 16, AHEAD = 4 };
    return (int64_t)fmin(fmax(ceil(period_seconds / seconds), standing->ahead ? AHEAD : 1), MOST);
}

/* By how much CALLS in a row may take longer than in the long run. */
static double filling(const struct star_standing *standing, int64_t calls)
{
    return standing->ahead ? exp(STAR_EARLY_USUAL / sqrt((double)calls)) : 1;
}

/* Until it is shown to be wrong, what is remembered stands for what was measured. */
static void believe(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_recollection *known, int count, struct star_decision *decision)
{
    int best = best_of(known, count);
    for (int i = 0; i < count; i++) {
        int candidate = known[i].candidate;
        standing->estimate[candidate] = known[i].mean;
        standing->visit[candidate] = (struct star_visit){
            .mean = known[i].mean, .deviation = known[i].deviation / known[i].mean, .calls = 1, .visits = 1};
        int64_t calls = (int64_t)fmin(fmax(round(known[i].count), 1), STAR_LONG_RUN);
        star_evidence_note(standing, candidate, known[i].mean, calls, calls);
        standing->visit[candidate].all.first_calls = 0; /* of which nothing is remembered */
        standing->earlier += known[i].count * star_stride_of(tuning->sample, known[i].mean);
    }
    int64_t calls = period_calls(standing, known[best].mean);
    standing->trusting = true;
    standing->bound = known[best].mean *
                      (1 + fmax(tuning->epsilon, sure * spread(&known[best], (double)calls))) *
                      filling(standing, calls);
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = STAR_RECALLED,
                                       .calls = calls < FIRST ? calls : FIRST,
                                       .delta = tuning->delta,
                                       .count = 1,
                                       .list = {(int16_t)known[best].candidate}};
}

/* Native alone is what a short run sees: it keeps nobody from looking at others. */
static bool is_sure(const struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_recollection *known, int count, double confidence)
{
    double two = 2.0 / standing->count, enough_for_race = fmin(two * two / 2, most_for_race);
    if (tuning->strategy != STAR_RACE)
        return confidence >= sure_enough;
    return confidence >= enough_for_race && (count > 1 || known[0].candidate != 0);
}

static bool is_possible(const struct star_recollection *known, int count,
                        const struct star_recollection *best)
{
    for (int i = 0; i < count; i++)
        if (known[i].candidate == 0 && known[i].mean > hardly_possible * best->mean)
            return false;
    return true;
}

enum star_recall star_trust_begin(struct star_standing *standing, const struct star_tuning *tuning,
                                  const struct star_recollection *known, int count, double confidence,
                                  struct star_decision *decision)
{
    if (!is_sound(standing, known, count))
        return STAR_RECALL_UNSOUND;
    for (int i = 0; i < count; i++)
        standing->remembered[known[i].candidate] = known[i].mean;
    int best = best_of(known, count);
    if (best < 0 || standing->count == 1 || !is_sure(standing, tuning, known, count, confidence) ||
        !is_possible(known, count, &known[best]))
        return STAR_RECALL_ORDERS;
    believe(standing, tuning, known, count, decision);
    return STAR_RECALL_RUNS;
}

/* What was only remembered is forgotten, but not what the method that was believed in took now, in CALLS
 * calls. */
static void forget(struct star_standing *standing, int believed, double average, int64_t calls)
{
    for (int i = 0; i < standing->count; i++) {
        standing->estimate[i] = STAR_UNKNOWN_SECONDS;
        standing->visit[i] = (struct star_visit){0};
    }
    standing->earlier = 0;
    if (believed >= 0) {
        standing->estimate[believed] = average;
        standing->visit[believed].apart = standing->ahead ? 1 : 0; /* its calls may have filled a pipeline */
        star_evidence_note(standing, believed, standing->usual, calls, calls);
        standing->remembered[believed] = standing->mean;
    }
}

/* Everything is faster than it was, or a longer time was expected of a larger problem: so are the others,
 * which would have no chance else. Within the bound it is noise. */
static void catch_up(struct star_standing *standing, int believed)
{
    double known = standing->remembered[believed], ratio = standing->mean / known;
    if (!(ratio > 0) || ratio * standing->bound >= known)
        return;
    for (int i = 0; i < standing->count; i++) {
        if (star_is_known(standing->remembered[i]))
            standing->remembered[i] *= ratio;
        if (standing->visit[i].visits > 0) {
            standing->visit[i].mean *= ratio;
            standing->visit[i].all.level += log(ratio);
        }
    }
}

enum star_trust star_trust_judge(struct star_standing *standing, const struct star_decision *course,
                                 double average, struct star_decision *decision)
{
    int believed = course->list[0];
    if (course->reason == STAR_UNABLE) {
        standing->trusting = false;
        forget(standing, -1, 0, 0);
        return STAR_TRUST_ENDS;
    }
    int64_t whole = period_calls(standing, standing->remembered[believed]);
    bool missed = standing->mean > standing->bound,
         wrong = standing->mean > STAR_MEMORY_FAR * standing->bound;
    if (missed) {
        *decision = *course;
        /* Far slower is no noise: the next period is a single call again. */
        decision->calls = wrong ? 1 : whole;
        standing->misses += wrong || course->calls == whole;
        standing->trusting = standing->misses < PERIODS;
        if (standing->trusting)
            return STAR_TRUST_TRIES;
        forget(standing, believed, average, standing->misses * course->calls);
        return STAR_TRUST_ENDS;
    }
    standing->trusting = false;
    catch_up(standing, believed);
    /* Means over ranks were remembered: others' estimates are taken to be as much above them as here. */
    for (int i = 0; i < standing->count; i++)
        if (standing->mean > 0 && star_is_known(standing->estimate[i]))
            standing->estimate[i] *= average / standing->mean;
    return STAR_TRUST_HOLDS;
}
