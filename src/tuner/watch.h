/* SPDX-License-Identifier: BSD-3-Clause
 * Watching the chosen method. */
#pragma once

#include "tuner/decision.h"
#include "tuner/standing.h"

/* What to think of CANDIDATE, which was chosen, after a period in which it took AVERAGE seconds, and LATELY
 * in the last calls; before its estimate is changed. */
enum star_verdict { STAR_AS_USUAL, STAR_DOUBTFUL, STAR_CHANGED };
enum star_verdict star_watch_judge(struct star_standing *standing, const struct star_tuning *tuning,
                                   int candidate, double average, double lately);
/* What the second best takes, and epsilon more. */
double star_watch_bound(const struct star_standing *standing, const struct star_tuning *tuning,
                        int candidate);
/* The delta after a doubtful period: the first one again; but while it stays doubtful it doubles. */
int32_t star_watch_closer(const struct star_tuning *tuning, const struct star_decision *course);
/* CALLS, or the longest period after which a change is noticed soon enough. */
int64_t star_watch_period(const struct star_tuning *tuning, int64_t calls);
