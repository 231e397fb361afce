/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool star_standing_make(struct star_standing *standing, const int *groups, int count)
{
    size_t n = (size_t)count;
    standing->count = count;
    standing->group = malloc(n * sizeof *standing->group);
    standing->estimate = malloc(n * sizeof *standing->estimate);
    standing->shut_out = calloc(n, sizeof *standing->shut_out);
    standing->measured = calloc(n, sizeof *standing->measured);
    standing->visit = calloc(n, sizeof *standing->visit);
    standing->out = calloc(n, sizeof *standing->out);
    if (!standing->group || !standing->estimate || !standing->shut_out || !standing->measured ||
        !standing->visit || !standing->out)
        return false;
    memcpy(standing->group, groups, n * sizeof *groups);
    for (int i = 0; i < count; i++)
        standing->estimate[i] = NAN;
    return true;
}

void star_standing_free(struct star_standing *standing)
{
    free(standing->group);
    free(standing->estimate);
    free(standing->shut_out);
    free(standing->measured);
    free(standing->visit);
    free(standing->out);
}

size_t star_standing_bytes(const struct star_standing *standing)
{
    return (size_t)standing->count * (sizeof *standing->group + sizeof *standing->estimate +
                                      sizeof *standing->visit + 3 * sizeof(bool));
}

bool star_decision_lists(const struct star_decision *decision, int candidate)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->list[i] == candidate)
            return true;
    return false;
}

static bool group_is_listed(const struct star_standing *standing, const struct star_decision *decision,
                            int group)
{
    for (int i = 0; i < decision->count; i++)
        if (standing->group[decision->list[i]] == group)
            return true;
    return false;
}

static void begin(const struct star_standing *standing, const struct star_tuning *tuning, bool grouped,
                  struct star_decision *decision)
{
    *decision = (struct star_decision){
        .stage = STAR_MEASURE, .reason = STAR_FIRST, .calls = tuning->iter, .delta = tuning->delta};
    if (standing->count == 1)
        decision->stage = STAR_MONITOR; /* nothing to compare */
    for (int i = 0; i < standing->count; i++)
        if (!standing->shut_out[i] && (!grouped || !group_is_listed(standing, decision, standing->group[i])))
            decision->list[decision->count++] = (int16_t)i;
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

int star_strategy_substitute(const struct star_standing *standing, const struct star_tuning *tuning,
                             const struct star_decision *course, int out)
{
    for (int i = 0; tuning->strategy != STAR_RACE && i < standing->count; i++)
        if (standing->group[i] == standing->group[out] && !standing->shut_out[i] && !standing->measured[i] &&
            !star_decision_lists(course, i))
            return i;
    return -1;
}

int star_standing_fastest(const struct star_standing *standing, int except)
{
    int best = -1;
    for (int i = 0; i < standing->count; i++)
        if (i != except && !standing->shut_out[i] && !isnan(standing->estimate[i]) &&
            (best < 0 || standing->estimate[i] < standing->estimate[best]))
            best = i;
    return best;
}

double star_standing_native(const struct star_standing *standing)
{
    for (int i = 0; i < standing->count; i++)
        if (!standing->shut_out[i] && standing->visit[i].calls > 0)
            return standing->visit[i].mean;
    return 0;
}

double star_standing_cost(const struct star_standing *standing)
{
    return standing->seconds - (double)standing->calls * star_standing_native(standing);
}

/* Reading the clock costs some tens of nanoseconds: short calls are sampled once a method is chosen. */
int32_t star_strategy_stride(const struct star_tuning *tuning, double seconds)
{
    return seconds < 10e-6 ? tuning->sample : 1;
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
    decision->stride = star_strategy_stride(tuning, best < 0 ? 0 : standing->estimate[best]);
}

static void choose(const struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, enum star_reason reason,
                   struct star_decision *decision)
{
    int best = star_standing_fastest(standing, -1);
    if (best < 0)
        best = 0;
    *decision = (struct star_decision){.calls = tuning->iter, .delta = tuning->delta};
    for (int i = 0; i < standing->count; i++)
        if (standing->group[i] == standing->group[best] && !standing->shut_out[i] &&
            isnan(standing->estimate[i]))
            decision->list[decision->count++] = (int16_t)i;
    decision->stage = decision->count ? STAR_MEASURE : STAR_MONITOR;
    decision->reason = (int32_t)(decision->count ? STAR_GROUP : reason);
    if (decision->count > 0)
        return;
    bool replaces_native = course->stage == STAR_MEASURE || course->list[0] == 0;
    if (tuning->confirm && best != 0 && replaces_native) {
        decision->stage = STAR_MEASURE;
        decision->reason = STAR_CONFIRM;
        decision->list[decision->count++] = 0;
    } else {
        decision->calls = period(tuning, tuning->delta);
        decision->stride = star_strategy_stride(tuning, standing->estimate[best]);
    }
    decision->list[decision->count++] = (int16_t)best;
}

/* Native and the best, measured anew: between these two alone. */
static void settle(const struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision)
{
    int best = course->list[course->count - 1];
    if (!(standing->estimate[best] < standing->estimate[0]))
        best = 0;
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = STAR_SELECTED,
                                       .calls = period(tuning, tuning->delta),
                                       .delta = tuning->delta};
    decision->list[decision->count++] = (int16_t)best;
    decision->stride = star_strategy_stride(tuning, standing->estimate[best]);
}

static void select_best(struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision)
{
    if (course->reason == STAR_CONFIRM) {
        settle(standing, tuning, course, decision);
        return;
    }
    choose(standing, tuning, course, STAR_SELECTED, decision);
}

void star_strategy_keep(const struct star_tuning *tuning, const struct star_decision *course,
                        struct star_decision *decision)
{
    *decision = *course;
    decision->reason = STAR_KEPT;
    decision->delta = course->delta > tuning->delta_most / 2 ? tuning->delta_most : course->delta * 2;
    decision->calls = period(tuning, decision->delta);
}

static void adapt(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision)
{
    int chosen = course->list[0], second = star_standing_fastest(standing, chosen);
    double bound = second < 0 ? INFINITY : (1 + tuning->epsilon) * standing->estimate[second];
    if (average >= bound && lately >= bound) {
        standing->estimate[chosen] = average;
        choose(standing, tuning, course, STAR_OVERTAKEN, decision);
        return;
    }
    star_strategy_keep(tuning, course, decision);
    decision->stride = star_strategy_stride(tuning, average);
    if (!(average < bound)) {
        decision->reason = STAR_DISTURBED;
        decision->delta = tuning->delta;
        decision->calls = period(tuning, tuning->delta);
    }
}

const struct star_way star_exhaustive = {begin_with_all, select_best, adapt},
                      star_grouped = {begin_with_groups, select_best, adapt};
const struct star_way *const star_ways[STAR_STRATEGIES] = {
    [STAR_EXHAUSTIVE] = &star_exhaustive, [STAR_GROUPED] = &star_grouped, [STAR_RACE] = &star_race};
