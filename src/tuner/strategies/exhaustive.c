/* SPDX-License-Identifier: BSD-3-Clause
 * Exhaustive (STAR-MPI's basic AEOS: Faraj et al., ICS 2006): measures every candidate, then chooses the
 * fastest. */
#include "tuner/choose.h"
#include "tuner/memory.h"

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    *decision = star_choose_first(standing, tuning);
    for (int i = 0; i < standing->count; i++)
        if (!standing->shut_out[i])
            decision->list[decision->count++] = (int16_t)i;
    star_memory_order(standing, decision);
}

static void select_best(struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision)
{
    star_choose_best(standing, tuning, course, STAR_SELECTED, decision);
}

const struct star_way star_exhaustive = {.first = begin,
                                         .select = select_best,
                                         .adapt = star_choose_adapt,
                                         .estimator = STAR_MIN_OF_MEAN,
                                         .watch = STAR_WATCH_EPSILON};
