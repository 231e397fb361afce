/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/tuner.h"
#include "tuner/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const star_reason_names[] = {"first",
                                         "selected",
                                         "best group",
                                         "confirm",
                                         "kept",
                                         "disturbed",
                                         "overtaken",
                                         "paused",
                                         "resumed",
                                         "wrong",
                                         "unable",
                                         "waits for its budget",
                                         "still in the race",
                                         "compared",
                                         "not ruled out",
                                         "remembered"};
_Static_assert(sizeof star_reason_names / sizeof *star_reason_names == STAR_REASONS, "each has a name");

struct star_tuner {
    struct star_tuning tuning;
    struct star_standing
        standing; /* kept by all ranks as far as groups and shut-outs go; estimates by the leader */
    struct star_decision course; /* what is being done */
    int32_t position;            /* in the list of MEASURE */
    int64_t counted;             /* MEASURE: calls of this candidate; MONITOR: calls of this period */
    int32_t skip;                /* calls still not to be counted */
    double *local;               /* this rank's samples of the list, CALLS each */
    double total, tail;          /* this rank's times of the period, and of its last ITER calls */
    double *samples;             /* leader: mean over ranks, room for `most_samples` of each candidate */
    int32_t *sampled;            /* and how many there are */
    double *scratch;             /* room for an agreement, so that none can fail for want of it */
};

/* Calls of one candidate that are measured at one time, at most. */
static size_t most_samples(const struct star_tuning *tuning)
{
    int race = tuning->strategy == STAR_RACE ? STAR_VISIT_MOST : 1;
    return (size_t)(tuning->iter > race ? tuning->iter : race);
}

/* Samples in the largest agreement: of a list of all candidates, or of the race's longest visit. */
static size_t most_listed(const struct star_tuning *tuning, int count)
{
    size_t all = (size_t)count * (size_t)tuning->iter;
    return all > most_samples(tuning) ? all : most_samples(tuning);
}

/* And with the maxima, or the two of each kind of a period. */
static size_t most_figures(const struct star_tuning *tuning, int count)
{
    return most_listed(tuning, count) + (size_t)count + 4;
}

/* The last calls of a period. */
static int64_t tail(const struct star_tuner *tuner)
{
    return tuner->course.calls < tuner->tuning.iter ? tuner->course.calls : tuner->tuning.iter;
}

static const struct star_way *way(const struct star_tuner *tuner)
{
    return star_ways[tuner->tuning.strategy];
}

struct star_tuner *star_tuner_new(const struct star_tuning *tuning, const int *groups,
                                  const struct star_traits *traits, int count, bool leads)
{
    struct star_tuner *tuner = calloc(1, sizeof *tuner);
    if (!star_strategy_wants_traits(tuning->strategy))
        traits = NULL;
    if (tuner == NULL || count < 1 || count > STAR_CANDIDATES_MAX ||
        (traits != NULL && (traits->attributes < 0 || traits->attributes > STAR_ATTRIBUTES_MAX))) {
        free(tuner);
        return NULL;
    }
    tuner->tuning = *tuning;
    tuner->tuning.estimator = star_estimator_of(tuning->strategy, tuning->estimator);
    if (tuner->tuning.delta > tuning->delta_most)
        tuner->tuning.delta = tuning->delta_most;
    tuner->local = calloc(most_listed(tuning, count), sizeof *tuner->local);
    tuner->samples = leads ? calloc((size_t)count * most_samples(tuning), sizeof *tuner->samples) : NULL;
    tuner->sampled = calloc((size_t)count, sizeof *tuner->sampled);
    tuner->scratch = calloc(2 * most_figures(tuning, count), sizeof *tuner->scratch);
    if (!star_standing_make(&tuner->standing, groups, traits, count) || !tuner->local ||
        (leads && !tuner->samples) || !tuner->sampled || !tuner->scratch) {
        star_tuner_free(tuner);
        return NULL;
    }
    way(tuner)->first(&tuner->standing, &tuner->tuning, &tuner->course);
    tuner->skip = tuning->warmup;
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
    if (!is_order(tuner, list, count))
        return false;
    star_standing_order(&tuner->standing, list, count);
    way(tuner)->first(&tuner->standing, &tuner->tuning, &tuner->course);
    return true;
}

bool star_tuner_recall(struct star_tuner *tuner, const struct star_recollection *known, int count,
                       double confidence)
{
    return star_memory_take(&tuner->standing, &tuner->tuning, known, count, confidence, &tuner->course);
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
    size_t figures =
        most_listed(tuning, (int)count) + count * most_samples(tuning) + 2 * most_figures(tuning, (int)count);
    return sizeof *tuner + figures * sizeof(double) + count * sizeof *tuner->sampled +
           star_standing_bytes(&tuner->standing);
}

int star_tuner_candidate(const struct star_tuner *tuner)
{
    return tuner->course.list[tuner->position];
}

bool star_tuner_counts(const struct star_tuner *tuner)
{
    return tuner->skip == 0;
}

int star_tuner_stride(const struct star_tuner *tuner)
{
    return tuner->course.stride > 1 ? tuner->course.stride : 1;
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
    tuner->skip = tuner->tuning.warmup;
    return false;
}

bool star_tuner_record(struct star_tuner *tuner, double seconds)
{
    if (tuner->skip > 0) {
        tuner->skip--;
        return false;
    }
    if (!(seconds > 0)) /* a clock that stepped back */
        seconds = 0;
    if (tuner->course.stage == STAR_MEASURE)
        return record_measure(tuner, seconds);
    if (tuner->standing.count == 1)
        return false; /* nothing to change to */
    tuner->total += seconds;
    if (tuner->course.calls - tuner->counted <= tail(tuner))
        tuner->tail += seconds;
    return ++tuner->counted == tuner->course.calls;
}

bool star_tuner_shut_out(struct star_tuner *tuner)
{
    struct star_decision *course = &tuner->course;
    int out = star_tuner_candidate(tuner);
    tuner->standing.shut_out[out] = true;
    tuner->counted = 0;
    tuner->skip = tuner->tuning.warmup;
    if (course->stage == STAR_MONITOR) {
        course->list[0] = 0; /* native, until the next agreement */
        course->reason = STAR_UNABLE;
        tuner->total = tuner->tail = 0;
        return false;
    }
    int other = star_strategy_substitute(&tuner->standing, &tuner->tuning, course, out);
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

size_t star_tuner_sums(const struct star_tuner *tuner)
{
    return tuner->course.stage == STAR_MONITOR ? 2
                                               : (size_t)tuner->course.count * (size_t)tuner->course.calls;
}

size_t star_tuner_maxima(const struct star_tuner *tuner)
{
    return tuner->course.stage == STAR_MONITOR ? 2 : (size_t)tuner->course.count;
}

double *star_tuner_scratch(struct star_tuner *tuner)
{
    return tuner->scratch;
}

double star_filtered_mean(const double *samples, int count)
{
    double least = INFINITY, total = 0, all = 0;
    int kept = 0;
    for (int i = 0; i < count; i++)
        least = fmin(least, samples[i]);
    for (int i = 0; i < count; i++) {
        all += samples[i];
        if (samples[i] < 3 * least || samples[i] == least) {
            total += samples[i];
            kept++;
        }
    }
    return 2 * kept < count ? all / count : total / kept;
}

void star_tuner_figures(const struct star_tuner *tuner, double *sums, double *maxima)
{
    int64_t calls = tuner->course.calls;
    if (tuner->course.stage == STAR_MONITOR) {
        sums[0] = maxima[0] = tuner->total / (double)calls;
        sums[1] = maxima[1] = tuner->tail / (double)tail(tuner);
        return;
    }
    memcpy(sums, tuner->local, star_tuner_sums(tuner) * sizeof *sums);
    for (int i = 0; i < tuner->course.count; i++)
        maxima[i] = star_filtered_mean(tuner->local + i * calls, (int)calls);
}

/* What one visit of a candidate told: SAMPLES are means over ranks. */
static void note_visit(struct star_visit *visit, const double *samples, int calls)
{
    double least = INFINITY, squares = 0;
    int kept = 0;
    for (int i = 0; i < calls; i++)
        least = fmin(least, samples[i]);
    visit->mean = star_filtered_mean(samples, calls);
    for (int i = 0; i < calls; i++)
        if (visit->mean > 0 && samples[i] < 3 * least) {
            squares += (samples[i] / visit->mean - 1) * (samples[i] / visit->mean - 1);
            kept++;
        }
    visit->deviation = kept > 1 ? sqrt(squares / (kept - 1)) : 0;
    visit->calls = calls;
    visit->visits++;
}

/* What CALLS calls of a candidate took. Where the method has just changed, those that were not counted too.
 */
static void count_calls(struct star_tuner *tuner, int64_t calls, double seconds)
{
    tuner->standing.calls += calls;
    tuner->standing.seconds += (double)calls * seconds;
}

static void keep_samples(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks)
{
    int64_t calls = tuner->course.calls;
    for (int i = 0; i < tuner->course.count; i++) {
        int candidate = tuner->course.list[i];
        double *samples = tuner->samples + (size_t)candidate * most_samples(&tuner->tuning), least = INFINITY,
               total = 0;
        for (int64_t j = 0; j < calls; j++) {
            samples[j] = sums[i * calls + j] / ranks;
            least = fmin(least, samples[j]);
            total += samples[j];
        }
        tuner->sampled[candidate] = (int32_t)calls;
        note_visit(&tuner->standing.visit[candidate], samples, (int)calls);
        count_calls(tuner, calls + tuner->tuning.warmup, total / (double)calls);
        tuner->standing.estimate[candidate] = tuner->tuning.estimator == STAR_MIN_OF_MEAN ? least : maxima[i];
    }
}

void star_tuner_decide(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks,
                       struct star_decision *decision)
{
    struct star_decision course = tuner->course;
    if (course.stage == STAR_MEASURE) {
        keep_samples(tuner, sums, maxima, ranks);
        way(tuner)->select(&tuner->standing, &tuner->tuning, &course, decision);
        return;
    }
    tuner->standing.mean = sums[0] / ranks;
    count_calls(tuner, course.calls * (course.stride > 1 ? course.stride : 1), sums[0] / ranks);
    if (course.reason == STAR_PAUSED) {
        way(tuner)->first(&tuner->standing, &tuner->tuning, decision);
        decision->reason = STAR_RESUMED;
        return;
    }
    bool mean = tuner->tuning.estimator == STAR_MIN_OF_MEAN;
    double average = mean ? sums[0] / ranks : maxima[0], lately = mean ? sums[1] / ranks : maxima[1];
    if (!tuner->standing.trusting ||
        star_memory_holds(&tuner->standing, &tuner->tuning, &course, average, decision))
        way(tuner)->adapt(&tuner->standing, &tuner->tuning, &course, average, lately, decision);
}

void star_tuner_rest(struct star_tuner *tuner, const double *sums, const double *maxima, int ranks,
                     struct star_decision *decision)
{
    if (tuner->course.stage == STAR_MEASURE)
        star_tuner_decide(tuner, sums, maxima, ranks, decision);
    else
        star_strategy_keep(&tuner->tuning, &tuner->course, decision);
    if (decision->stage == STAR_MEASURE || tuner->course.reason == STAR_PAUSED ||
        tuner->course.reason == STAR_WAITS)
        star_strategy_rest(&tuner->standing, &tuner->tuning, &tuner->course, decision);
}

static bool is_sound(const struct star_tuner *tuner, const struct star_decision *decision)
{
    int32_t most = decision->stage == STAR_MONITOR ? 1 : tuner->standing.count;
    int64_t calls = decision->stage == STAR_MONITOR ? INT64_MAX : (int64_t)most_samples(&tuner->tuning);
    if (decision->count < 1 || decision->count > most || decision->delta < 1 ||
        decision->delta > tuner->tuning.delta_most || decision->calls < 1 || decision->calls > calls ||
        (decision->stage == STAR_MEASURE &&
         (size_t)(decision->calls * decision->count) > most_listed(&tuner->tuning, tuner->standing.count)) ||
        decision->stride < 0 || decision->reason < STAR_FIRST || decision->reason >= STAR_REASONS ||
        (decision->stage != STAR_MEASURE && decision->stage != STAR_MONITOR))
        return false;
    for (int i = 0; i < decision->count; i++)
        if (decision->list[i] < 0 || decision->list[i] >= tuner->standing.count)
            return false;
    return true;
}

bool star_tuner_apply(struct star_tuner *tuner, const struct star_decision *decision)
{
    if (!is_sound(tuner, decision))
        return false;
    if (tuner->course.stage == STAR_MEASURE)
        for (int i = 0; i < tuner->course.count; i++)
            tuner->standing.measured[tuner->course.list[i]] = true;
    if (decision->list[0] != star_tuner_candidate(tuner))
        tuner->skip = tuner->tuning.warmup;
    tuner->course = *decision;
    tuner->position = tuner->counted = 0;
    tuner->total = tuner->tail = 0;
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
    return *count > 0 ? tuner->samples + (size_t)i * most_samples(&tuner->tuning) : NULL;
}

void star_tuner_spend(struct star_tuner *tuner, double seconds)
{
    struct star_standing *standing = &tuner->standing;
    if (!(seconds > 0))
        return;
    standing->seconds += seconds;
    standing->besides += seconds;
    standing->occasions++;
}

bool star_tuner_is_shut_out(const struct star_tuner *tuner, int i)
{
    return tuner->standing.shut_out[i];
}
