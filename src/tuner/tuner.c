/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/tuner.h"
#include "tuner/inside.h"
#include "tuner/networks.h"
#include "tuner/stall.h"
#include "tuner/trust.h"
#include "util/fpenv.h"
#include "util/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples in the largest agreement: of a list of all candidates, or as many as a visit of one has. */
static size_t most_listed(const struct star_tuning *tuning, int count)
{
    size_t candidates = star_ways[tuning->strategy]->list_most > 0 ? 1 : (size_t)count;
    return candidates * star_tuner_most_samples(tuning);
}

/* Candidates in the longest list. */
static int longest_list(const struct star_tuning *tuning, int count)
{
    int most = star_ways[tuning->strategy]->list_most;
    return most > 0 && count > most ? most : count;
}

static size_t larger(size_t one, size_t other)
{
    return one > other ? one : other;
}

static size_t most_figures(const struct star_tuning *tuning, int count)
{
    size_t maxima = MAXIMA_OF_CANDIDATE * (size_t)longest_list(tuning, count);
    return larger(FIGURES_FIRST + larger(most_listed(tuning, count), maxima), FIGURES_OF_PERIOD) + 1;
}

struct star_tuner *star_tuner_new(const struct star_tuning *tuning, const int *groups,
                                  const struct star_traits *traits, int count, bool leads)
{
    STAR_FPENV_DEFAULT;
    struct star_tuner *tuner = calloc(1, sizeof *tuner);
    if (!star_strategy_wants_traits(tuning->strategy))
        traits = NULL;
    if (tuner == NULL || count < 1 || count > STAR_CANDIDATES_MAX ||
        (traits != NULL && (traits->attributes < 0 || traits->attributes > STAR_ATTRIBUTES_MAX))) {
        free(tuner);
        return NULL;
    }
    tuner->tuning = *tuning;
    tuner->part = 1;
    tuner->least = INFINITY;
    tuner->tuning.estimator = star_estimator_of(tuning->strategy, tuning->estimator);
    if (tuning->watch == STAR_WATCH_AUTO)
        tuner->tuning.watch = star_tuner_way(tuner)->watch;
    if (tuner->tuning.delta > tuning->delta_most)
        tuner->tuning.delta = tuning->delta_most;
    tuner->local = calloc(most_listed(tuning, count), sizeof *tuner->local);
    tuner->samples =
        leads ? calloc((size_t)count * star_tuner_most_samples(tuning), sizeof *tuner->samples) : NULL;
    tuner->sampled = calloc((size_t)count, sizeof *tuner->sampled);
    tuner->scratch = calloc(2 * most_figures(tuning, count), sizeof *tuner->scratch);
    if (!star_standing_make(&tuner->standing, groups, traits, count) || !tuner->local ||
        (leads && !tuner->samples) || !tuner->sampled || !tuner->scratch) {
        star_tuner_free(tuner);
        return NULL;
    }
    tuner->standing.ahead = tuning->ranks == STAR_RANKS_AHEAD;
    star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, &tuner->course);
    tuner->skip = star_decision_warmup(&tuner->course, tuning);
    star_period_begin(&tuner->period);
    return tuner;
}

static bool is_order(const struct star_tuner *tuner, const int16_t *list, int count)
{
    bool listed[STAR_CANDIDATES_MAX] = {false};
    if (count < 1 || count > tuner->standing.count || list[0] != 0)
        return false;
    for (int i = 0; i < count; i++) {
        if (list[i] < 0 || list[i] >= tuner->standing.count || listed[list[i]])
            return false;
        listed[list[i]] = true;
    }
    return true;
}

bool star_tuner_order(struct star_tuner *tuner, const int16_t *list, int count)
{
    STAR_FPENV_DEFAULT;
    if (!is_order(tuner, list, count))
        return false;
    star_standing_order(&tuner->standing, list, count);
    star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, &tuner->course);
    return true;
}

bool star_tuner_recall(struct star_tuner *tuner, const struct star_recollection *known, int count,
                       double confidence)
{
    STAR_FPENV_DEFAULT;
    enum star_recall recall =
        star_trust_begin(&tuner->standing, &tuner->tuning, known, count, confidence, &tuner->course);
    if (recall == STAR_RECALL_ORDERS)
        star_tuner_way(tuner)->first(&tuner->standing, &tuner->tuning, &tuner->course);
    return recall != STAR_RECALL_UNSOUND;
}

void star_tuner_forecast(struct star_tuner *tuner, const struct star_prospect *each,
                         struct star_networks *shared)
{
    STAR_FPENV_DEFAULT;
    if (star_tuner_way(tuner)->by_forecasts)
        star_networks_foresee(&tuner->standing, each, shared);
}

void star_tuner_alike(struct star_tuner *tuner, const int *first)
{
    memcpy(tuner->standing.alike, first, (size_t)tuner->standing.count * sizeof *first);
}

void star_tuner_free(struct star_tuner *tuner)
{
    if (tuner == NULL)
        return;
    star_standing_free(&tuner->standing);
    free(tuner->local);
    free(tuner->samples);
    free(tuner->sampled);
    free(tuner->scratch);
    free(tuner);
}

size_t star_tuner_bytes(const struct star_tuner *tuner)
{
    const struct star_tuning *tuning = &tuner->tuning;
    size_t count = (size_t)tuner->standing.count;
    size_t samples = most_listed(tuning, (int)count) + count * star_tuner_most_samples(tuning);
    return sizeof *tuner + samples * sizeof(double) + count * sizeof *tuner->sampled +
           2 * most_figures(tuning, (int)count) * sizeof *tuner->scratch +
           star_standing_bytes(&tuner->standing) + star_networks_bytes(&tuner->standing);
}

int star_tuner_count(const struct star_tuner *tuner)
{
    return tuner->standing.count;
}

int star_tuner_candidate(const struct star_tuner *tuner)
{
    return tuner->course.list[tuner->position];
}

const int16_t *star_tuner_course(const struct star_tuner *tuner, int *count)
{
    *count = tuner->course.count - tuner->position;
    return tuner->course.list + tuner->position;
}

bool star_tuner_counts(const struct star_tuner *tuner)
{
    return tuner->skip == 0;
}

int star_tuner_stride(const struct star_tuner *tuner)
{
    return tuner->course.stride > 1 ? tuner->course.stride : 1;
}

int star_tuner_gap(const struct star_tuner *tuner)
{
    uint64_t random = tuner->random;
    return star_draw_gap(&random, star_tuner_stride(tuner));
}

static bool record_measure(struct star_tuner *tuner, double seconds)
{
    int64_t calls = tuner->course.calls;
    tuner->local[tuner->position * calls + tuner->counted++] = seconds;
    if (tuner->counted < calls)
        return false;
    tuner->counted = 0;
    if (tuner->position + 1 == tuner->course.count)
        return true; /* this candidate stays current until the decision */
    tuner->position++;
    tuner->skip = star_decision_warmup(&tuner->course, &tuner->tuning);
    return false;
}

static void record_monitor(struct star_tuner *tuner, double seconds)
{
    int64_t left = tuner->course.calls - tuner->counted;
    star_period_add(&tuner->period, seconds);
    if (left <= star_tuner_tail(tuner))
        tuner->local[star_tuner_tail(tuner) - left] = seconds;
}

/* They cost what they take all the same: connections are made in them, and pages touched. */
static void record_uncounted(struct star_tuner *tuner, double seconds)
{
    bool is_other = star_tuner_candidate(tuner) != 0;
    tuner->skip--;
    tuner->uncounted.calls++;
    tuner->uncounted.others += is_other;
    if (is_other && !star_is_stall(seconds, tuner->least))
        tuner->uncounted.seconds += seconds;
}

bool star_tuner_record(struct star_tuner *tuner, double seconds)
{
    STAR_FPENV_DEFAULT;
    if (!isgreater(seconds, 0)) /* a clock that stepped back */
        seconds = 0;
    star_draw(&tuner->random, 2);
    if (tuner->skip > 0) {
        record_uncounted(tuner, seconds);
        return false;
    }
    if (seconds > 0)
        tuner->least = fmin(tuner->least, seconds);
    if (tuner->course.stage == STAR_MEASURE)
        return record_measure(tuner, seconds);
    if (tuner->standing.count == 1)
        return false;                            /* nothing to change to */
    if (tuner->counted == tuner->course.calls) { /* the agreement behind it has failed: another period */
        tuner->counted = 0;
        star_period_begin(&tuner->period);
    }
    record_monitor(tuner, seconds);
    return ++tuner->counted == tuner->course.calls;
}

bool star_tuner_shut_out(struct star_tuner *tuner)
{
    struct star_decision *course = &tuner->course;
    int out = star_tuner_candidate(tuner);
    tuner->standing.shut_out[out] = true;
    tuner->counted = 0;
    tuner->skip = star_decision_warmup(course, &tuner->tuning);
    if (course->stage == STAR_MONITOR) {
        course->list[0] = 0; /* native, until the next agreement */
        course->reason = STAR_UNABLE;
        star_period_begin(&tuner->period);
        return false;
    }
    const struct star_way *way = star_tuner_way(tuner);
    int other = way->substitute != NULL ? way->substitute(&tuner->standing, course, out) : -1;
    if (other >= 0) {
        course->list[tuner->position] = (int16_t)other;
        return false;
    }
    course->count--;
    memmove(course->list + tuner->position, course->list + tuner->position + 1,
            (size_t)(course->count - tuner->position) * sizeof *course->list);
    if (tuner->position < course->count)
        return false;
    tuner->position = course->count > 0 ? course->count - 1 : 0;
    return true;
}

size_t star_tuner_figures(const struct star_tuner *tuner)
{
    size_t listed = (size_t)tuner->course.count;
    if (tuner->course.stage == STAR_MONITOR)
        return FIGURES_OF_PERIOD;
    return FIGURES_FIRST + listed * larger((size_t)tuner->course.calls, MAXIMA_OF_CANDIDATE);
}

struct star_figure *star_tuner_scratch(struct star_tuner *tuner)
{
    return tuner->scratch;
}

size_t star_tuner_decision_bytes(const struct star_tuner *tuner)
{
    size_t listed = (size_t)longest_list(&tuner->tuning, tuner->standing.count);
    return offsetof(struct star_decision, list) + listed * sizeof tuner->course.list[0];
}

static bool is_sound(const struct star_tuner *tuner, const struct star_decision *decision)
{
    int32_t most = decision->stage == STAR_MONITOR ? 1 : longest_list(&tuner->tuning, tuner->standing.count);
    int64_t calls =
        decision->stage == STAR_MONITOR ? INT64_MAX : (int64_t)star_tuner_most_samples(&tuner->tuning);
    if (decision->count < 1 || decision->count > most || decision->delta < 1 ||
        decision->delta > tuner->tuning.delta_most || decision->calls < 1 || decision->calls > calls ||
        (decision->stage == STAR_MEASURE &&
         (size_t)(decision->calls * decision->count) > most_listed(&tuner->tuning, tuner->standing.count)) ||
        decision->stride < 0 || decision->cold < 0 || decision->cold > 1 || decision->reason < STAR_FIRST ||
        decision->reason >= STAR_REASONS ||
        (decision->stage != STAR_MEASURE && decision->stage != STAR_MONITOR))
        return false;
    for (int i = 0; i < decision->count; i++)
        if (decision->list[i] < 0 || decision->list[i] >= tuner->standing.count)
            return false;
    return true;
}

bool star_tuner_apply(struct star_tuner *tuner, const struct star_decision *decision)
{
    tuner->spending = 0; /* has been counted, as the agreement has not failed */
    tuner->uncounted = (struct star_uncounted){0};
    if (!is_sound(tuner, decision))
        return false;
    if (tuner->course.stage == STAR_MEASURE)
        for (int i = 0; i < tuner->course.count; i++)
            tuner->standing.measured[tuner->course.list[i]] = true;
    if (decision->list[0] != star_tuner_candidate(tuner))
        tuner->skip = star_decision_warmup(decision, &tuner->tuning);
    tuner->course = *decision;
    tuner->position = tuner->counted = 0;
    star_period_begin(&tuner->period);
    return true;
}

enum star_stage star_tuner_stage(const struct star_tuner *tuner)
{
    return (enum star_stage)tuner->course.stage;
}

int star_tuner_delta(const struct star_tuner *tuner)
{
    return tuner->course.delta;
}

double star_tuner_estimate(const struct star_tuner *tuner, int i)
{
    return tuner->standing.estimate[i];
}

const double *star_tuner_samples(const struct star_tuner *tuner, int i, int *count)
{
    *count = tuner->sampled[i];
    return *count > 0 ? tuner->samples + (size_t)i * star_tuner_most_samples(&tuner->tuning) : NULL;
}

double star_tuner_waited(const struct star_tuner *tuner)
{
    return tuner->waited;
}

double star_tuner_part(const struct star_tuner *tuner)
{
    return tuner->part;
}

int star_tuner_fastest(const struct star_tuner *tuner)
{
    STAR_FPENV_DEFAULT;
    return tuner->course.stage == STAR_MONITOR ? star_tuner_candidate(tuner)
                                               : star_standing_fastest(&tuner->standing, -1);
}

bool star_tuner_is_shut_out(const struct star_tuner *tuner, int i)
{
    return tuner->standing.shut_out[i];
}
