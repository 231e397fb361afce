/* SPDX-License-Identifier: BSD-3-Clause
 * Successive halving (Karnin, Koren and Somekh: Almost Optimal Exploration in Multi-Armed Bandits, ICML
 * 2013). After native, all others are measured for one call each; the slower half falls out, and those that
 * are left are measured for twice as many calls, up to `iter`, until one is left. */
#include "tuner/choose.h"
#include "tuner/memory.h"

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    standing->round = 0;
    star_choose_alone(standing, tuning, decision);
}

/* How many of the list were faster than its Ith; of equals the earlier one. */
static int rank_of(const struct star_standing *standing, const struct star_decision *course, int i)
{
    double own = standing->estimate[course->list[i]];
    int faster = 0;
    for (int j = 0; j < course->count; j++) {
        double other = standing->estimate[course->list[j]];
        faster += other < own || (other == own && j < i);
    }
    return faster;
}

static void drop_slower_half(struct star_standing *standing, const struct star_decision *course)
{
    for (int i = 0; i < course->count; i++)
        standing->out[course->list[i]] = rank_of(standing, course, i) >= (course->count + 1) / 2;
}

static void list_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                      struct star_decision *decision)
{
    int64_t calls = 1;
    for (int round = 1; round < standing->round && calls < tuning->iter; round++)
        calls *= 2;
    *decision = (struct star_decision){.stage = STAR_MEASURE,
                                       .reason = STAR_ROUND,
                                       .calls = calls < tuning->iter ? calls : tuning->iter,
                                       .delta = tuning->delta};
    for (int i = 1; i < standing->count; i++)
        if (star_standing_runs(standing, i))
            decision->list[decision->count++] = (int16_t)i;
    star_memory_order(standing, decision);
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    if (course->reason != STAR_CONFIRM) {
        if (standing->round > 0)
            drop_slower_half(standing, course);
        standing->round++;
        list_rest(standing, tuning, decision);
        if (decision->count > 1 || (decision->count == 1 && standing->round == 1))
            return;
    }
    star_choose_best(standing, tuning, course, STAR_SELECTED, decision);
}

const struct star_way star_halving = {.first = begin,
                                      .select = advance,
                                      .adapt = star_choose_adapt,
                                      .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                      .watch = STAR_WATCH_EPSILON};
