/* SPDX-License-Identifier: BSD-3-Clause
 * Grouped (STAR-MPI's enhanced AEOS: Faraj et al., ICS 2006, Figure 2): measures one candidate of each group,
 * then the rest of the best group. */
#include "tuner/choose.h"
#include "tuner/memory.h"
#include "util/seconds.h"

/* Where the list has one of the candidate's group, or has its end. */
static int place_of_group(const struct star_standing *standing, const struct star_decision *decision,
                          int candidate)
{
    int place = 0;
    while (place < decision->count && standing->group[decision->list[place]] != standing->group[candidate])
        place++;
    return place;
}

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    *decision = star_choose_first(standing, tuning);
    for (int i = 0; i < standing->count; i++) {
        int end = decision->count, place = place_of_group(standing, decision, i);
        if (standing->shut_out[i])
            continue;
        decision->count += place == end;
        if (place == end ||
            star_memory_promise(standing, i) < star_memory_promise(standing, decision->list[place]))
            decision->list[place] = (int16_t)i;
    }
    star_memory_order(standing, decision);
}

/* Another one of OUT's group. */
static int substitute(const struct star_standing *standing, const struct star_decision *course, int out)
{
    for (int i = 0; i < standing->count; i++)
        if (standing->group[i] == standing->group[out] && !standing->shut_out[i] && !standing->measured[i] &&
            !star_decision_lists(course, i))
            return i;
    return -1;
}

/* Lists the rest of the group that the fastest is in. False: all of it is measured. */
static bool list_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                      struct star_decision *decision)
{
    int best = star_standing_fastest(standing, -1), group = standing->group[best < 0 ? 0 : best];
    *decision = (struct star_decision){
        .stage = STAR_MEASURE, .reason = STAR_GROUP, .calls = tuning->iter, .delta = tuning->delta};
    for (int i = 0; i < standing->count; i++)
        if (standing->group[i] == group && !standing->shut_out[i] && !star_is_known(standing->estimate[i]))
            decision->list[decision->count++] = (int16_t)i;
    return decision->count > 0;
}

static void choose(const struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, enum star_reason reason,
                   struct star_decision *decision)
{
    if (course->reason == STAR_CONFIRM || !list_rest(standing, tuning, decision))
        star_choose_best(standing, tuning, course, reason, decision);
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    choose(standing, tuning, course, STAR_SELECTED, decision);
}

static void adapt(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision)
{
    if (!star_choose_stays(standing, tuning, course, average, lately, decision))
        choose(standing, tuning, course, STAR_OVERTAKEN, decision);
}

const struct star_way star_grouped = {.first = begin,
                                      .select = advance,
                                      .adapt = adapt,
                                      .substitute = substitute,
                                      .estimator = STAR_MIN_OF_MEAN,
                                      .watch = STAR_WATCH_EPSILON};
