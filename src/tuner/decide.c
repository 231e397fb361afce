/* SPDX-License-Identifier: BSD-3-Clause
 * Agreements: each rank's figures, and what the leader makes of the reduced ones. */
#include "tuner/inside.h"
#include "tuner/stall.h"

#include <math.h>
#include <string.h>

static void figures_of_period(struct star_tuner *tuner, double *sums, double *maxima)
{
    int last = (int)star_tuner_tail(tuner);
    star_samples_mend(tuner->local, last);
    sums[0] = star_period_mean(&tuner->period);
    maxima[0] = star_period_filtered_mean(&tuner->period);
    sums[1] = 0;
    sums[2] = star_period_usual(&tuner->period);
    for (int i = 0; i < last; i++)
        sums[1] += tuner->local[i] / last;
    maxima[1] = star_filtered_mean(tuner->local, last);
    maxima[2] = sums[2];
    maxima[3] = (double)star_period_longer(&tuner->period);
}

static bool goes_by_slowest(const struct star_tuning *tuning)
{
    return tuning->ahead && tuning->estimator != STAR_MIN_OF_MEAN;
}

void star_tuner_figures(struct star_tuner *tuner, double *sums, double *maxima)
{
    int64_t calls = tuner->course.calls;
    double *spent = maxima + star_tuner_maxima(tuner) - SPENT_MAXIMA;
    tuner->asked = 0;
    spent[0] = -tuner->spending;
    spent[1] = (goes_by_slowest(&tuner->tuning) ? 1 : -1) * tuner->uncounted.seconds;
    if (tuner->course.stage == STAR_MONITOR) {
        figures_of_period(tuner, sums, maxima);
        return;
    }
    double *usual = maxima + tuner->course.count, *of_half = usual + tuner->course.count;
    for (int i = 0; i < tuner->course.count; i++) {
        star_samples_mend(tuner->local + i * calls, (int)calls);
        maxima[i] = star_filtered_mean(tuner->local + i * calls, (int)calls);
        usual[i] = star_usual_mean(tuner->local + i * calls, (int)calls, (int)calls);
        of_half[i] = calls > 1 ? star_usual_mean(tuner->local + i * calls, (int)calls, (int)(calls / 2)) : 0;
        if (!(maxima[i] > 0)) /* the leader must learn of it, though other ranks' calls took their time */
            maxima[i] = INFINITY;
    }
    memcpy(sums, tuner->local, star_tuner_sums(tuner) * sizeof *sums);
}

/* What CALLS calls of a candidate took. What native takes is what it takes: only what others take instead
 * costs, or saves. */
static void count_calls(struct star_tuner *tuner, int candidate, int64_t calls, double seconds)
{
    tuner->standing.calls += calls;
    if (candidate == 0)
        return;
    tuner->standing.others += calls;
    tuner->standing.seconds += (double)calls * seconds;
}

/* What calls take in the long run: MEAN over ranks, and MOST on the slowest one, where calls that take long
 * now and then count, since whoever ran ahead waits in them. At first ranks run ahead of those that they send
 * to; but the last one, a reduction's root, takes its time from the first call on, and all must wait for it
 * in the end. */
static double lasting(const struct star_tuning *tuning, double mean, double most)
{
    return goes_by_slowest(tuning) ? fmax(mean, most) : mean;
}

/* Where the slowest rank took USUAL in the mean of all calls, and OF_HALF in the mean of the first half:
 * what it took in the later half. While a pipeline fills, calls take longer than they do when one overlaps
 * the next. */
static double later(const struct star_tuning *tuning, double usual, double of_half, int64_t calls)
{
    static const double least = 0.3;
    int64_t half = calls / 2;
    if (!goes_by_slowest(tuning) || calls == 1)
        return usual;
    return fmax(((double)calls * usual - (double)half * of_half) / (double)(calls - half), least * usual);
}

/* The samples of a candidate: means over ranks, but as much longer as they last. Returns how much. */
static double take_samples(const struct star_tuner *tuner, const double *sums, double most, int ranks,
                           double *samples)
{
    int calls = (int)tuner->course.calls;
    for (int j = 0; j < calls; j++)
        samples[j] = sums[j] / ranks;
    double mean = star_usual_mean(samples, calls, calls),
           longer = mean > 0 ? lasting(&tuner->tuning, mean, most) / mean : 1;
    for (int j = 0; j < calls; j++)
        samples[j] *= longer;
    return longer;
}

static void keep_samples(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks)
{
    int64_t calls = tuner->course.calls;
    const double *usual = maxima + tuner->course.count, *of_half = usual + tuner->course.count;
    for (int i = 0; i < tuner->course.count; i++) {
        int candidate = tuner->course.list[i];
        double *samples = tuner->samples + (size_t)candidate * star_tuner_most_samples(&tuner->tuning),
               least = INFINITY, total = 0, own = 0,
               longer = take_samples(tuner, sums + i * calls, usual[i], ranks, samples);
        for (int64_t j = 0; j < calls; j++) {
            least = fmin(least, samples[j]);
            total += samples[j];
            own += tuner->local[i * calls + j];
        }
        if (candidate == 0 && total > 0)
            tuner->part = own / total;
        tuner->sampled[candidate] = (int32_t)calls;
        struct star_visit *visit = &tuner->standing.visit[candidate];
        star_visit_note(visit, samples, (int)calls);
        visit->later = later(&tuner->tuning, visit->usual, of_half[i], calls);
        visit->apart = 1 - 1 / longer;
        count_calls(tuner, candidate, calls, visit->usual);
        tuner->standing.estimate[candidate] =
            tuner->tuning.estimator == STAR_MIN_OF_MEAN || isinf(maxima[i]) ? least : maxima[i];
    }
}

/* A single call that stalled, or lasted no time: compared with the fastest method, or, one of the chosen one,
 * with what it took before. Of several calls those are mended. */
static bool is_no_measure(const struct star_tuner *tuner, const double *maxima)
{
    const struct star_decision *course = &tuner->course;
    int best = course->stage == STAR_MONITOR ? course->list[0] : star_standing_fastest(&tuner->standing, -1);
    double usual = best < 0 ? NAN : tuner->standing.estimate[best];
    for (int i = 0; course->calls == 1 && i < course->count; i++)
        if (!(maxima[i] > 0) || isinf(maxima[i]) || star_is_stall(maxima[i], usual))
            return true;
    return false;
}

/* What seems to be no measure is measured once more, and not counted. If that says the same, it is believed,
 * and both count. False: the figures are to be used. */
static bool measure_again(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks,
                          struct star_decision *decision)
{
    bool odd = tuner->course.reason != STAR_PAUSED && is_no_measure(tuner, maxima), believed = tuner->doubts;
    tuner->doubts = odd && !believed;
    if (odd && believed)
        for (int i = 0; i < tuner->course.count; i++)
            count_calls(tuner, tuner->course.list[i], 1, tuner->doubted);
    if (!tuner->doubts)
        return false;
    tuner->doubted = 0;
    for (int i = 0; i < tuner->course.count; i++)
        tuner->doubted += sums[i] / ranks / tuner->course.count;
    *decision = tuner->course;
    return true;
}

bool star_tuner_doubts(const struct star_tuner *tuner)
{
    return tuner->doubts;
}

/* Seconds of a call of native, or, where it is no candidate or cannot be run, of the first one that was
 * measured. */
static double native_seconds(const struct star_standing *standing)
{
    for (int i = 0; i < standing->count; i++)
        if (!standing->shut_out[i] && standing->visit[i].calls > 0)
            return standing->visit[i].mean;
    return 0;
}

/* What occasions since the last agreement took on the rank on which they took least: others have waited for
 * it in them, as they would have waited in the program's next call. If one of them stalled, none counts. */
static void count_spent(struct star_tuner *tuner, const double *maxima)
{
    struct star_standing *standing = &tuner->standing;
    double seconds = -maxima[star_tuner_maxima(tuner) - SPENT_MAXIMA],
           usual = standing->occasions > 0 ? standing->besides / (double)standing->occasions
                                           : native_seconds(standing),
           longest = seconds - usual * fmax((double)tuner->spendings - 1, 0);
    int64_t occasions = tuner->spendings;
    bool stalled = star_is_stall(longest, fmax(usual, tuner->spent));
    tuner->spent = longest;
    tuner->spendings = 0;
    if (!(seconds > 0) || stalled)
        return;
    standing->seconds += seconds;
    standing->besides += seconds;
    standing->occasions += occasions;
}

/* The calls since the last agreement that are not counted: ranks wait for each other in them, too; but where
 * some run ahead, they take what they take on the slowest. */
static void count_uncounted(struct star_tuner *tuner, const double *maxima)
{
    struct star_standing *standing = &tuner->standing;
    standing->calls += tuner->uncounted.calls;
    standing->others += tuner->uncounted.others;
    standing->seconds += fabs(maxima[star_tuner_maxima(tuner) - SPENT_MAXIMA + 1]);
}

/* Long calls of a period: as much longer than usual as they are on average, which visits are noted by too. */
static void note_tail(struct star_tuner *tuner, const double *sums, double longer)
{
    const struct star_decision *course = &tuner->course;
    double usual = tuner->standing.usual, share = sums[2] > 0 ? fmax(sums[0] - sums[2], 0) / sums[2] : 0;
    star_tail_note(&tuner->standing.visit[course->list[0]].tail, (double)course->calls,
                   (double)star_decision_row(course), usual, share * usual, longer);
}

void star_tuner_consult(struct star_tuner *tuner, void (*ask)(void *whom), void *whom)
{
    tuner->ask = ask;
    tuner->whom = whom;
}

/* Native alone has run, in calls enough to tell one that was held up. */
static bool has_credit(const struct star_tuner *tuner)
{
    const struct star_standing *standing = &tuner->standing;
    return tuner->tuning.budget > 0 && standing->others == 0 && standing->visit[0].ever == 1 &&
           standing->visit[0].calls > 1;
}

double star_tuner_patience(const struct star_tuner *tuner, bool credit)
{
    static const double share = 0.5;
    const struct star_standing *standing = &tuner->standing;
    double native = native_seconds(standing),
           seconds = (double)(standing->calls - standing->others) * native + standing->seconds,
           patience = fmin(share * tuner->tuning.budget * seconds, standing->left);
    return credit && has_credit(tuner) ? fmax(patience, standing->visit[0].usual) : patience;
}

double star_tuner_asked(const struct star_tuner *tuner)
{
    return tuner->asked;
}

static void consult(struct star_tuner *tuner)
{
    tuner->asking = true;
    if (tuner->ask != NULL)
        tuner->ask(tuner->whom);
    tuner->asking = false;
}

static void count_owed(struct star_tuner *tuner)
{
    tuner->standing.seconds += tuner->owed;
    tuner->owed = 0;
}

void star_tuner_decide(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks,
                       struct star_decision *decision)
{
    struct star_decision course = tuner->course;
    count_owed(tuner);
    count_spent(tuner, maxima);
    count_uncounted(tuner, maxima);
    if (measure_again(tuner, sums, maxima, ranks, decision))
        return;
    if (course.stage == STAR_MEASURE) {
        keep_samples(tuner, sums, maxima, ranks);
        consult(tuner);
        star_tuner_way(tuner)->select(&tuner->standing, &tuner->tuning, &course, decision);
        return;
    }
    tuner->standing.mean = lasting(&tuner->tuning, sums[0] / ranks, maxima[2]);
    tuner->standing.usual = lasting(&tuner->tuning, sums[2] / ranks, maxima[2]);
    count_calls(tuner, course.list[0], star_decision_row(&course), tuner->standing.usual);
    note_tail(tuner, sums, maxima[3]);
    consult(tuner);
    if (course.reason == STAR_PAUSED) {
        star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, decision);
        decision->reason = STAR_RESUMED;
        return;
    }
    bool mean = tuner->tuning.estimator == STAR_MIN_OF_MEAN;
    double average = mean ? sums[0] / ranks : maxima[0], lately = mean ? sums[1] / ranks : maxima[1];
    if (!tuner->standing.trusting ||
        star_memory_holds(&tuner->standing, &tuner->tuning, &course, average, decision))
        star_tuner_way(tuner)->adapt(&tuner->standing, &tuner->tuning, &course, average, lately, decision);
}

void star_tuner_rest(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks,
                     struct star_decision *decision)
{
    if (tuner->course.stage == STAR_MEASURE) {
        void (*ask)(void *whom) = tuner->ask;
        tuner->ask = NULL;
        star_tuner_decide(tuner, sums, maxima, ranks, decision);
        tuner->ask = ask;
    } else {
        count_spent(tuner, maxima);
        count_uncounted(tuner, maxima);
        star_strategy_keep(&tuner->tuning, &tuner->course, decision);
    }
    if (decision->stage == STAR_MEASURE || tuner->course.reason == STAR_PAUSED ||
        tuner->course.reason == STAR_WAITS)
        star_strategy_rest(&tuner->standing, &tuner->tuning, &tuner->course, decision);
    tuner->doubts = false; /* what seemed to be no measure is not measured again */
}

void star_tuner_spend(struct star_tuner *tuner, double seconds)
{
    tuner->spending += seconds;
    tuner->spendings++;
}

void star_tuner_spend_once(struct star_tuner *tuner, double seconds)
{
    tuner->standing.left -= seconds;
    tuner->asked += tuner->asking ? seconds : 0;
    if (tuner->asking && has_credit(tuner))
        tuner->owed += seconds;
    else
        tuner->standing.seconds += seconds;
}
