/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/decide.h"
#include "tuner/choose.h"
#include "tuner/inside.h"
#include "tuner/sample.h"
#include "tuner/stall.h"
#include "tuner/trust.h"
#include "util/fpenv.h"
#include "util/seconds.h"

#include <math.h>
#include <string.h>

static void tell_period(struct star_tuner *tuner, struct star_figure *figures)
{
    int last = (int)star_tuner_tail(tuner);
    double lately = 0, usual = star_period_usual(&tuner->period);
    star_samples_mend(tuner->local, last);
    for (int i = 0; i < last; i++)
        lately += tuner->local[i] / last;
    figures[FIGURE_MEAN] =
        (struct star_figure){star_period_mean(&tuner->period), star_period_filtered_mean(&tuner->period)};
    figures[FIGURE_LATELY] = (struct star_figure){lately, star_filtered_mean(tuner->local, last)};
    figures[FIGURE_USUAL] = (struct star_figure){usual, usual};
    figures[FIGURE_LONGER].most = (double)star_period_longer(&tuner->period);
    figures[FIGURE_SLOWEST].most = figures[FIGURE_MEAN].sum;
    figures[FIGURE_FASTEST].most = -figures[FIGURE_MEAN].sum;
}

static void tell_candidate(struct star_tuner *tuner, int i, struct star_figure *figures)
{
    int calls = (int)tuner->course.calls, count = tuner->course.count;
    double *samples = tuner->local + (ptrdiff_t)i * calls;
    star_samples_mend(samples, calls);
    double mean = star_filtered_mean(samples, calls);
    /* The leader must learn of calls without time, though other ranks' took theirs. */
    figures[i].most = mean > 0 ? mean : INFINITY;
    figures[count + i].most = star_usual_mean(samples, calls, calls, NULL);
    figures[2 * count + i].most = calls > 1 ? star_usual_mean(samples, calls, calls / 2, NULL) : 0;
    for (int j = 0; j < calls; j++)
        figures[i * calls + j].sum = samples[j];
}

void star_tuner_tell(struct star_tuner *tuner, struct star_figure *figures)
{
    STAR_FPENV_DEFAULT;
    tuner->asked = 0;
    for (size_t i = 0; i < star_tuner_figures(tuner); i++)
        figures[i] = (struct star_figure){0, -INFINITY};
    figures[FIGURE_SPENT].most = -tuner->spending;
    figures[FIGURE_UNCOUNTED].most =
        (star_tuning_by_slowest(&tuner->tuning) ? 1 : -1) * tuner->uncounted.seconds;
    if (tuner->course.stage == STAR_MONITOR)
        tell_period(tuner, figures);
    for (int i = 0; tuner->course.stage == STAR_MEASURE && i < tuner->course.count; i++)
        tell_candidate(tuner, i, figures + FIGURES_FIRST);
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

/* What calls took that took MEAN over ranks, and MOST on the slowest one. Where ranks may run ahead, calls
 * that take long now and then count, since whoever ran ahead waits in them. At first ranks run ahead of those
 * that they send to; but the last one, a reduction's root, takes its time from the first call on, and all
 * must wait for it in the end. */
static double counted(const struct star_tuning *tuning, double mean, double most)
{
    return star_tuning_by_slowest(tuning) ? fmax(mean, most) : mean;
}

/* Where the slowest rank took USUAL in the mean of all calls, and OF_HALF in the mean of the first half:
 * what it took in the later half. While a pipeline fills, calls take longer than they do when one overlaps
 * the next. */
static double later(const struct star_tuning *tuning, double usual, double of_half, int64_t calls)
{
    static const double least = 0.3;
    int64_t half = calls / 2;
    if (tuning->ranks != STAR_RANKS_AHEAD || !star_tuning_by_slowest(tuning) || calls == 1)
        return usual;
    return fmax(((double)calls * usual - (double)half * of_half) / (double)(calls - half), least * usual);
}

/* A candidate's samples: means over ranks, but as much longer as what counts of them. Returns how much. */
static double take_samples(const struct star_tuner *tuner, const struct star_figure *figures, double most,
                           int ranks, double *samples)
{
    int calls = (int)tuner->course.calls;
    for (int j = 0; j < calls; j++)
        samples[j] = figures[j].sum / ranks;
    double mean = star_usual_mean(samples, calls, calls, NULL),
           longer = mean > 0 ? counted(&tuner->tuning, mean, most) / mean : 1;
    for (int j = 0; j < calls; j++)
        samples[j] *= longer;
    return longer;
}

/* FIGURES: those of the list. */
static void keep_samples(struct star_tuner *tuner, const struct star_figure *figures, int ranks)
{
    int64_t calls = tuner->course.calls;
    const struct star_figure *usual = figures + tuner->course.count, *of_half = usual + tuner->course.count;
    for (int i = 0; i < tuner->course.count; i++) {
        int candidate = tuner->course.list[i];
        double *samples = tuner->samples + (size_t)candidate * star_tuner_most_samples(&tuner->tuning),
               least = INFINITY, total = 0, own = 0,
               longer = take_samples(tuner, figures + i * calls, usual[i].most, ranks, samples);
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
        visit->later = later(&tuner->tuning, visit->usual, of_half[i].most, calls);
        visit->apart = tuner->standing.ahead ? 1 - 1 / longer : 0;
        count_calls(tuner, candidate, calls, visit->usual);
        tuner->standing.estimate[candidate] =
            tuner->tuning.estimator == STAR_MIN_OF_MEAN || isinf(figures[i].most) ? least : figures[i].most;
    }
}

/* A single call that stalled, or lasted no time: compared with the fastest method, or, one of the chosen one,
 * with what it took before. Of several calls those are mended. */
static bool is_no_measure(const struct star_tuner *tuner, const struct star_figure *figures)
{
    const struct star_decision *course = &tuner->course;
    int best = course->stage == STAR_MONITOR ? course->list[0] : star_standing_fastest(&tuner->standing, -1);
    double usual = best < 0 ? STAR_UNKNOWN_SECONDS : tuner->standing.estimate[best];
    for (int i = 0; course->calls == 1 && i < course->count; i++) {
        double most = figures[FIGURES_FIRST + i].most;
        if (!(most > 0) || isinf(most) || (star_is_known(usual) && star_is_stall(most, usual)))
            return true;
    }
    return false;
}

/* What seems to be no measure is measured once more, and not counted. If that says the same, it is believed,
 * and both count. False: the figures are to be used. */
static bool measure_again(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                          struct star_decision *decision)
{
    bool odd = tuner->course.reason != STAR_PAUSED && is_no_measure(tuner, figures), believed = tuner->doubts;
    tuner->doubts = odd && !believed;
    if (tuner->doubts)
        tuner->spread = (struct star_spread){0};
    if (odd && believed)
        for (int i = 0; i < tuner->course.count; i++)
            count_calls(tuner, tuner->course.list[i], 1, tuner->doubted);
    if (!tuner->doubts)
        return false;
    tuner->doubted = 0;
    for (int i = 0; i < tuner->course.count; i++)
        tuner->doubted += figures[FIGURES_FIRST + i].sum / ranks / tuner->course.count;
    *decision = tuner->course;
    return true;
}

static void note_spread(struct star_tuner *tuner, const struct star_figure *figures, int ranks)
{
    tuner->spread = (struct star_spread){0};
    if (tuner->course.stage != STAR_MONITOR)
        return;
    double mean = figures[FIGURE_MEAN].sum / ranks, most = figures[FIGURE_SLOWEST].most;
    tuner->spread =
        (struct star_spread){mean, most, -figures[FIGURE_FASTEST].most, counted(&tuner->tuning, mean, most)};
}

struct star_spread star_tuner_spread(const struct star_tuner *tuner)
{
    return tuner->spread;
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
static void count_spent(struct star_tuner *tuner, const struct star_figure *figures)
{
    struct star_standing *standing = &tuner->standing;
    double seconds = -figures[FIGURE_SPENT].most,
           usual = standing->occasions > 0 ? standing->besides / (double)standing->occasions
                                           : native_seconds(standing),
           longest = seconds - usual * fmax((double)tuner->spendings - 1, 0);
    int64_t occasions = tuner->spendings;
    bool stalled = star_is_stall(longest, fmax(usual, tuner->spent));
    tuner->spent = longest;
    tuner->spendings = 0;
    tuner->shortest = fmax(seconds, 0);
    if (!(seconds > 0) || stalled)
        return;
    standing->seconds += seconds;
    standing->besides += seconds;
    standing->occasions += occasions;
}

/* The calls since the last agreement that are not counted: ranks wait for each other in them, too; but where
 * some run ahead, they take what they take on the slowest. */
static void count_uncounted(struct star_tuner *tuner, const struct star_figure *figures)
{
    struct star_standing *standing = &tuner->standing;
    standing->calls += tuner->uncounted.calls;
    standing->others += tuner->uncounted.others;
    standing->seconds += fabs(figures[FIGURE_UNCOUNTED].most);
}

/* Long calls of a period: as much longer than usual as they are on average, which visits are noted by too. */
static void note_tail(struct star_tuner *tuner, const struct star_figure *figures)
{
    const struct star_decision *course = &tuner->course;
    double usual = tuner->standing.usual, least = figures[FIGURE_USUAL].sum,
           share = least > 0 ? fmax(figures[FIGURE_MEAN].sum - least, 0) / least : 0;
    star_tail_note(&tuner->standing.visit[course->list[0]].tail, (double)course->calls,
                   (double)star_decision_row(course), usual, share * usual, figures[FIGURE_LONGER].most);
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
    STAR_FPENV_DEFAULT;
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

double star_tuner_least(const struct star_tuner *tuner)
{
    return tuner->shortest;
}

void star_tuner_wait(struct star_tuner *tuner, double least)
{
    STAR_FPENV_DEFAULT;
    tuner->waited += fmax(tuner->spending - least, 0);
}

static void consult(struct star_tuner *tuner)
{
    double paid = fmax(star_tuner_patience(tuner, false), 0);
    tuner->asking = true;
    if (tuner->ask != NULL)
        tuner->ask(tuner->whom);
    tuner->asking = false;
    tuner->standing.owing = tuner->owed > paid;
}

static void count_owed(struct star_tuner *tuner)
{
    tuner->standing.seconds += tuner->owed;
    tuner->owed = 0;
}

void star_tuner_decide(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                       struct star_decision *decision)
{
    STAR_FPENV_DEFAULT;
    struct star_decision course = tuner->course;
    note_spread(tuner, figures, ranks);
    count_owed(tuner);
    count_spent(tuner, figures);
    count_uncounted(tuner, figures);
    if (measure_again(tuner, figures, ranks, decision))
        return;
    if (course.stage == STAR_MEASURE) {
        keep_samples(tuner, figures + FIGURES_FIRST, ranks);
        consult(tuner);
        star_tuner_way(tuner)->select(&tuner->standing, &tuner->tuning, &course, decision);
        return;
    }
    const struct star_figure *all = &figures[FIGURE_MEAN], *last = &figures[FIGURE_LATELY],
                             *usual = &figures[FIGURE_USUAL];
    tuner->standing.mean = counted(&tuner->tuning, all->sum / ranks, usual->most);
    tuner->standing.usual = counted(&tuner->tuning, usual->sum / ranks, usual->most);
    count_calls(tuner, course.list[0], star_decision_row(&course), tuner->standing.usual);
    note_tail(tuner, figures);
    consult(tuner);
    if (course.reason == STAR_PAUSED) {
        star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, decision);
        decision->reason = STAR_RESUMED;
        return;
    }
    bool mean = tuner->tuning.estimator == STAR_MIN_OF_MEAN;
    double average = mean ? all->sum / ranks : all->most, lately = mean ? last->sum / ranks : last->most;
    enum star_trust trust = tuner->standing.trusting
                                ? star_trust_judge(&tuner->standing, &course, average, decision)
                                : STAR_TRUST_HOLDS;
    if (trust == STAR_TRUST_HOLDS)
        star_tuner_way(tuner)->adapt(&tuner->standing, &tuner->tuning, &course, average, lately, decision);
    else if (trust == STAR_TRUST_ENDS)
        star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, decision);
}

void star_tuner_rest(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                     struct star_decision *decision)
{
    STAR_FPENV_DEFAULT;
    if (tuner->course.stage == STAR_MEASURE) {
        void (*ask)(void *whom) = tuner->ask;
        tuner->ask = NULL;
        star_tuner_decide(tuner, figures, ranks, decision);
        tuner->ask = ask;
    } else {
        note_spread(tuner, figures, ranks);
        count_spent(tuner, figures);
        count_uncounted(tuner, figures);
        star_choose_same(&tuner->tuning, &tuner->course, decision);
    }
    if (decision->stage == STAR_MEASURE || tuner->course.reason == STAR_PAUSED ||
        tuner->course.reason == STAR_WAITS)
        star_choose_rest(&tuner->standing, &tuner->tuning, &tuner->course, decision);
    tuner->doubts = false; /* what seemed to be no measure is not measured again */
}

void star_tuner_spend(struct star_tuner *tuner, double seconds)
{
    STAR_FPENV_DEFAULT;
    tuner->spending += seconds;
    tuner->spendings++;
}

void star_tuner_spend_once(struct star_tuner *tuner, double seconds)
{
    STAR_FPENV_DEFAULT;
    tuner->standing.left -= seconds;
    tuner->asked += tuner->asking ? seconds : 0;
    if (tuner->asking && has_credit(tuner))
        tuner->owed += seconds;
    else
        tuner->standing.seconds += seconds;
}
