/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What belongs to traits. */
static bool make_traits(struct star_standing *standing, const struct star_traits *traits, int count)
{
    if (traits == NULL || traits->attributes == 0)
        return true;
    size_t attributes = (size_t)traits->attributes, values = (size_t)count * attributes;
    standing->attributes = traits->attributes;
    standing->trait = malloc(values * sizeof *standing->trait);
    standing->belief = calloc(attributes, sizeof *standing->belief);
    standing->told = calloc(values, sizeof *standing->told);
    if (standing->trait == NULL || standing->belief == NULL || standing->told == NULL)
        return false;
    memcpy(standing->trait, traits->value, values * sizeof *standing->trait);
    return true;
}

bool star_standing_make(struct star_standing *standing, const int *groups, const struct star_traits *traits,
                        int count)
{
    size_t n = (size_t)count;
    standing->count = count;
    standing->group = malloc(n * sizeof *standing->group);
    standing->estimate = malloc(n * sizeof *standing->estimate);
    standing->shut_out = calloc(n, sizeof *standing->shut_out);
    standing->measured = calloc(n, sizeof *standing->measured);
    standing->visit = calloc(n, sizeof *standing->visit);
    standing->out = calloc(n, sizeof *standing->out);
    standing->remembered = malloc(n * sizeof *standing->remembered);
    standing->alike = malloc(n * sizeof *standing->alike);
    if (!standing->group || !standing->estimate || !standing->shut_out || !standing->measured ||
        !standing->visit || !standing->out || !standing->remembered || !standing->alike ||
        !make_traits(standing, traits, count))
        return false;
    memcpy(standing->group, groups, n * sizeof *groups);
    for (int i = 0; i < count; i++) {
        standing->estimate[i] = standing->remembered[i] = STAR_UNKNOWN_SECONDS;
        standing->alike[i] = i;
    }
    standing->watch.candidate = -1;
    standing->left = INFINITY;
    return true;
}

static size_t foreseen_bytes(const struct star_standing *standing)
{
    return sizeof(struct star_foreseen) + (size_t)standing->count * STAR_NETWORKS * sizeof(float);
}

void star_standing_foresee(struct star_standing *standing, const struct star_prospect *each,
                           struct star_networks *shared)
{
    if (standing->foreseen == NULL)
        standing->foreseen = calloc(1, foreseen_bytes(standing));
    if (standing->foreseen == NULL)
        return;
    standing->foreseen->shared = shared;
    star_networks_begin(standing, each);
}

void star_standing_free(struct star_standing *standing)
{
    free(standing->group);
    free(standing->estimate);
    free(standing->shut_out);
    free(standing->measured);
    free(standing->visit);
    free(standing->out);
    free(standing->remembered);
    free(standing->foreseen);
    free(standing->alike);
    free(standing->trait);
    free(standing->belief);
    free(standing->told);
}

size_t star_standing_bytes(const struct star_standing *standing)
{
    size_t of_candidate = sizeof *standing->group + sizeof *standing->estimate +
                          sizeof *standing->remembered + sizeof *standing->alike + sizeof *standing->visit +
                          3 * sizeof(bool),
           of_value = sizeof *standing->trait + sizeof *standing->told;
    return (size_t)standing->count * (of_candidate + (size_t)standing->attributes * of_value) +
           (size_t)standing->attributes * sizeof *standing->belief +
           (standing->foreseen ? foreseen_bytes(standing) : 0);
}

void star_standing_order(struct star_standing *standing, const int16_t *list, int count)
{
    int group[STAR_CANDIDATES_MAX];
    int16_t trait[STAR_CANDIDATES_MAX * STAR_ATTRIBUTES_MAX];
    size_t attributes = (size_t)standing->attributes, row = attributes * sizeof *trait;
    for (int i = 0; i < count; i++) {
        group[i] = standing->group[list[i]];
        if (attributes > 0)
            memcpy(trait + (size_t)i * attributes, standing->trait + (size_t)list[i] * attributes, row);
    }
    memcpy(standing->group, group, (size_t)count * sizeof *group);
    if (attributes > 0)
        memcpy(standing->trait, trait, (size_t)count * row);
    standing->count = count;
}

int star_trait(const struct star_standing *standing, int i, int attribute)
{
    return standing->trait[i * standing->attributes + attribute];
}

bool star_traits_agree_but(const struct star_standing *standing, int i, int j, int attribute)
{
    for (int a = 0; a < standing->attributes; a++) {
        int one = star_trait(standing, i, a), other = star_trait(standing, j, a);
        if (a == attribute ? one < 0 || other < 0 : one != other)
            return false;
    }
    return true;
}

bool star_standing_runs(const struct star_standing *standing, int i)
{
    return !standing->shut_out[i] && !standing->out[i];
}

void star_standing_settle(struct star_standing *standing)
{
    standing->since = standing->looked;
}

bool star_decision_lists(const struct star_decision *decision, int candidate)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->list[i] == candidate)
            return true;
    return false;
}

int64_t star_decision_row(const struct star_decision *decision)
{
    return decision->calls * (decision->stride > 1 ? decision->stride : 1);
}

/* Where the list has one of the candidate's group, or has its end. */
static int place_of_group(const struct star_standing *standing, const struct star_decision *decision,
                          int candidate)
{
    int place = 0;
    while (place < decision->count && standing->group[decision->list[place]] != standing->group[candidate])
        place++;
    return place;
}

static void begin(const struct star_standing *standing, const struct star_tuning *tuning, bool grouped,
                  struct star_decision *decision)
{
    *decision = (struct star_decision){
        .stage = STAR_MEASURE, .reason = STAR_FIRST, .calls = tuning->iter, .delta = tuning->delta};
    if (standing->count == 1)
        decision->stage = STAR_MONITOR; /* nothing to compare */
    for (int i = 0; i < standing->count; i++) {
        int end = decision->count, place = grouped ? place_of_group(standing, decision, i) : end;
        if (standing->shut_out[i])
            continue;
        decision->count += place == end;
        if (place == end ||
            star_memory_promise(standing, i) < star_memory_promise(standing, decision->list[place]))
            decision->list[place] = (int16_t)i;
    }
    star_memory_order(standing, decision);
}

static void begin_with_all(struct star_standing *standing, const struct star_tuning *tuning,
                           struct star_decision *decision)
{
    begin(standing, tuning, false, decision);
}

static void begin_with_groups(struct star_standing *standing, const struct star_tuning *tuning,
                              struct star_decision *decision)
{
    begin(standing, tuning, true, decision);
}

void star_strategy_begin_alone(struct star_standing *standing, const struct star_tuning *tuning,
                               struct star_decision *decision)
{
    int first = 0;
    for (int i = 0; i < standing->count; i++) {
        standing->out[i] = false;
        standing->visit[i].visits = 0;
    }
    while (first + 1 < standing->count && standing->shut_out[first])
        first++;
    *decision = (struct star_decision){.stage = standing->count > 1 ? STAR_MEASURE : STAR_MONITOR,
                                       .reason = STAR_FIRST,
                                       .calls = tuning->iter,
                                       .delta = tuning->delta,
                                       .count = 1,
                                       .list = {(int16_t)first}};
}

bool star_strategy_list(const struct star_standing *standing, const struct star_tuning *tuning,
                        const bool *wanted, enum star_reason reason, struct star_decision *decision)
{
    *decision = (struct star_decision){
        .stage = STAR_MEASURE, .reason = (int32_t)reason, .calls = tuning->iter, .delta = tuning->delta};
    for (int i = 0; i < standing->count; i++)
        if ((wanted == NULL || wanted[i]) && star_standing_runs(standing, i) &&
            standing->visit[i].visits == 0)
            decision->list[decision->count++] = (int16_t)i;
    star_memory_order(standing, decision);
    return decision->count > 0;
}

int star_strategy_substitute(const struct star_standing *standing, const struct star_tuning *tuning,
                             const struct star_decision *course, int out)
{
    for (int i = 0; star_ways[tuning->strategy]->by_groups && i < standing->count; i++)
        if (standing->group[i] == standing->group[out] && !standing->shut_out[i] && !standing->measured[i] &&
            !star_decision_lists(course, i))
            return i;
    return -1;
}

int star_standing_fastest(const struct star_standing *standing, int except)
{
    int best = -1;
    for (int i = 0; i < standing->count; i++)
        if (i != except && !standing->shut_out[i] && star_is_known(standing->estimate[i]) &&
            (best < 0 || standing->estimate[i] < standing->estimate[best]))
            best = i;
    return best;
}

bool star_standing_is_faster(const struct star_standing *standing, int i, int than)
{
    double own = standing->estimate[i], other = standing->estimate[than];
    return star_is_known(own) && star_is_known(other) && own < other;
}

/* To time a call costs some hundred nanoseconds: what the clock takes, and all that follows from a time. Of
 * longer calls more are timed, so that this stays the same small share of them all. */
int32_t star_stride_of(int64_t sample, double seconds)
{
    static const double brief = 3e-6;
    if (!star_is_known(seconds))
        return 1;
    if (seconds <= brief)
        return (int32_t)sample;
    double stride = (double)sample * brief / seconds;
    return stride > 1.5 ? (int32_t)lround(stride) : 1;
}

static int64_t period(const struct star_tuning *tuning, int32_t delta)
{
    return (int64_t)delta * tuning->iter;
}

void star_strategy_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision)
{
    enum { DELTA_MOST = 16 }; /* when tuning goes on, that should be seen before long */
    int best = star_standing_fastest(standing, -1);
    int32_t most = tuning->delta_most < DELTA_MOST ? tuning->delta_most : DELTA_MOST, delta = tuning->delta;
    if (course->reason == STAR_PAUSED)
        delta = course->delta * 2;
    *decision = (struct star_decision){
        .stage = STAR_MONITOR, .reason = STAR_PAUSED, .delta = delta < most ? delta : most, .count = 1};
    decision->calls = period(tuning, decision->delta);
    decision->list[0] = (int16_t)(best < 0 ? 0 : best);
    decision->stride = star_stride_of(tuning->sample, best < 0 ? 0 : standing->estimate[best]);
}

/* Native and the best, measured anew: between these two alone. */
static void settle(const struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision)
{
    int best = course->count > 0 ? course->list[course->count - 1] : 0;
    if (!star_standing_is_faster(standing, best, 0))
        best = 0;
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = STAR_SELECTED,
                                       .calls = period(tuning, tuning->delta),
                                       .delta = tuning->delta};
    decision->list[decision->count++] = (int16_t)best;
    decision->stride = star_stride_of(tuning->sample, standing->estimate[best]);
}

void star_strategy_choose(const struct star_standing *standing, const struct star_tuning *tuning,
                          const struct star_decision *course, enum star_reason reason,
                          struct star_decision *decision)
{
    if (course->reason == STAR_CONFIRM) {
        settle(standing, tuning, course, decision);
        return;
    }
    int best = star_standing_fastest(standing, -1);
    if (best < 0)
        best = 0;
    *decision = (struct star_decision){.calls = tuning->iter, .delta = tuning->delta};
    for (int i = 0; star_ways[tuning->strategy]->by_groups && i < standing->count; i++)
        if (standing->group[i] == standing->group[best] && !standing->shut_out[i] &&
            !star_is_known(standing->estimate[i]))
            decision->list[decision->count++] = (int16_t)i;
    decision->stage = decision->count ? STAR_MEASURE : STAR_MONITOR;
    decision->reason = (int32_t)(decision->count ? STAR_GROUP : reason);
    if (decision->count > 0)
        return;
    bool replaces_native = course->stage == STAR_MEASURE || course->list[0] == 0;
    if (tuning->confirm && best != 0 && replaces_native && !standing->shut_out[0]) {
        decision->stage = STAR_MEASURE;
        decision->reason = STAR_CONFIRM;
        decision->list[decision->count++] = 0;
    } else {
        decision->calls = period(tuning, tuning->delta);
        decision->stride = star_stride_of(tuning->sample, standing->estimate[best]);
    }
    decision->list[decision->count++] = (int16_t)best;
}

static void select_best(struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision)
{
    star_strategy_choose(standing, tuning, course, STAR_SELECTED, decision);
}

void star_strategy_keep(const struct star_tuning *tuning, const struct star_decision *course,
                        struct star_decision *decision)
{
    *decision = *course;
    decision->reason = STAR_KEPT;
    decision->delta = course->delta > tuning->delta_most / 2 ? tuning->delta_most : course->delta * 2;
    decision->calls = star_watch_period(tuning, period(tuning, decision->delta));
}

void star_strategy_adapt(struct star_standing *standing, const struct star_tuning *tuning,
                         const struct star_decision *course, double average, double lately,
                         struct star_decision *decision)
{
    int chosen = course->list[0];
    enum star_verdict verdict = star_watch_judge(standing, tuning, chosen, average, lately);
    if (verdict == STAR_CHANGED && average >= star_watch_bound(standing, tuning, chosen)) {
        standing->estimate[chosen] = average;
        star_strategy_choose(standing, tuning, course, STAR_OVERTAKEN, decision);
        return;
    }
    star_strategy_keep(tuning, course, decision);
    decision->stride = star_stride_of(tuning->sample, average);
    if (verdict != STAR_AS_USUAL) {
        decision->reason = STAR_DISTURBED;
        decision->delta = star_watch_closer(tuning, course);
        decision->calls = period(tuning, decision->delta);
    }
}

const struct star_way star_exhaustive = {.first = begin_with_all,
                                         .select = select_best,
                                         .adapt = star_strategy_adapt,
                                         .estimator = STAR_MIN_OF_MEAN,
                                         .watch = STAR_WATCH_EPSILON},
                      star_grouped = {.first = begin_with_groups,
                                      .select = select_best,
                                      .adapt = star_strategy_adapt,
                                      .by_groups = true,
                                      .estimator = STAR_MIN_OF_MEAN,
                                      .watch = STAR_WATCH_EPSILON};
const struct star_way *const star_ways[STAR_STRATEGIES] = {
    [STAR_EXHAUSTIVE] = &star_exhaustive, [STAR_GROUPED] = &star_grouped,     [STAR_RACE] = &star_race,
    [STAR_HYPOTHESIS] = &star_hypothesis, [STAR_FACTORIAL] = &star_factorial, [STAR_HALVING] = &star_halving};

enum star_estimator star_estimator_of(enum star_strategy strategy, enum star_estimator estimator)
{
    if (estimator != STAR_ESTIMATOR_AUTO)
        return estimator;
    return star_ways[strategy]->estimator;
}

bool star_strategy_wants_traits(enum star_strategy strategy)
{
    return star_ways[strategy]->by_traits;
}
