/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/choose.h"
#include "tuner/memory.h"
#include "tuner/watch.h"

struct star_decision star_choose_first(const struct star_standing *standing, const struct star_tuning *tuning)
{
    return (struct star_decision){.stage = standing->count > 1 ? STAR_MEASURE : STAR_MONITOR,
                                  .reason = STAR_FIRST,
                                  .calls = tuning->iter,
                                  .delta = tuning->delta};
}

void star_choose_alone(struct star_standing *standing, const struct star_tuning *tuning,
                       struct star_decision *decision)
{
    int first = 0;
    for (int i = 0; i < standing->count; i++) {
        standing->out[i] = false;
        standing->visit[i].visits = 0;
    }
    while (first + 1 < standing->count && standing->shut_out[first])
        first++;
    *decision = star_choose_first(standing, tuning);
    decision->list[decision->count++] = (int16_t)first;
}

bool star_choose_list(const struct star_standing *standing, const struct star_tuning *tuning,
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

static int64_t period(const struct star_tuning *tuning, int32_t delta)
{
    return (int64_t)delta * tuning->iter;
}

void star_choose_rest(const struct star_standing *standing, const struct star_tuning *tuning,
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

void star_choose_best(const struct star_standing *standing, const struct star_tuning *tuning,
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
    *decision = (struct star_decision){
        .stage = STAR_MONITOR, .reason = (int32_t)reason, .calls = tuning->iter, .delta = tuning->delta};
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

void star_choose_same(const struct star_tuning *tuning, const struct star_decision *course,
                      struct star_decision *decision)
{
    *decision = *course;
    decision->reason = STAR_KEPT;
    decision->delta = course->delta > tuning->delta_most / 2 ? tuning->delta_most : course->delta * 2;
    decision->calls = star_watch_period(tuning, period(tuning, decision->delta));
}

bool star_choose_stays(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct star_decision *course, double average, double lately,
                       struct star_decision *decision)
{
    int chosen = course->list[0];
    enum star_verdict verdict = star_watch_judge(standing, tuning, chosen, average, lately);
    if (verdict == STAR_CHANGED && average >= star_watch_bound(standing, tuning, chosen)) {
        standing->estimate[chosen] = average;
        return false;
    }
    star_choose_same(tuning, course, decision);
    decision->stride = star_stride_of(tuning->sample, average);
    if (verdict != STAR_AS_USUAL) {
        decision->reason = STAR_DISTURBED;
        decision->delta = star_watch_closer(tuning, course);
        decision->calls = period(tuning, decision->delta);
    }
    return true;
}

void star_choose_adapt(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct star_decision *course, double average, double lately,
                       struct star_decision *decision)
{
    if (!star_choose_stays(standing, tuning, course, average, lately, decision))
        star_choose_best(standing, tuning, course, STAR_OVERTAKEN, decision);
}
