/* SPDX-License-Identifier: BSD-3-Clause
 * Strategies: which methods to measure, and which to choose. Only estimates go in, only decisions come out.
 */
#ifndef STAR_TUNER_STRATEGY_H
#define STAR_TUNER_STRATEGY_H

#include "tuner/tuner.h"

struct star_standing {
    int count;
    int *group;
    bool *shut_out, *measured;
    double *estimate; /* the leader's alone; NaN until measured. What all ranks decide must not look at it */
};

bool star_standing_make(struct star_standing *standing, const int *groups, int count);
void star_standing_free(struct star_standing *standing);
size_t star_standing_bytes(const struct star_standing *standing);

/* What all ranks start with, and again after a pause: native first. */
void star_strategy_first(const struct star_standing *standing, const struct star_tuning *tuning,
                         struct star_decision *decision);
/* After a period of MONITOR: goes on, and waits longer for the next agreement. */
void star_strategy_keep(const struct star_tuning *tuning, const struct star_decision *course,
                        struct star_decision *decision);
/* While tuning is paused, and not all is measured: the best that is known. */
void star_strategy_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision);
/* A candidate to measure instead of OUT, which is shut out, or -1: another one of its group, where the
 * strategy measures one of each group. The same on all ranks. */
int star_strategy_substitute(const struct star_standing *standing, const struct star_decision *course,
                             int out);
/* After MEASURE, which was COURSE. */
void star_strategy_select(const struct star_standing *standing, const struct star_tuning *tuning,
                          const struct star_decision *course, struct star_decision *decision);
/* After a period of MONITOR in which the chosen method took AVERAGE seconds, and LATELY in its last ITER
 * calls. */
void star_strategy_adapt(struct star_standing *standing, const struct star_tuning *tuning,
                         const struct star_decision *course, double average, double lately,
                         struct star_decision *decision);

#endif
