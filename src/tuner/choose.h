/* SPDX-License-Identifier: BSD-3-Clause
 * What strategies share: how they begin, list and choose. */
#pragma once

#include "tuner/strategy.h"

/* The decision to begin with, but for its list: to measure, or to monitor where nothing can be compared. */
struct star_decision star_choose_first(const struct star_standing *standing,
                                       const struct star_tuning *tuning);
/* Begins with native alone, or the first one that can be run: nobody is out, and nobody was visited. */
void star_choose_alone(struct star_standing *standing, const struct star_tuning *tuning,
                       struct star_decision *decision);
/* Lists those of WANTED (NULL: all) that run and were not visited, for REASON. False: there are none. */
bool star_choose_list(const struct star_standing *standing, const struct star_tuning *tuning,
                      const bool *wanted, enum star_reason reason, struct star_decision *decision);
/* Ends measuring: the fastest, once that is confirmed. */
void star_choose_best(const struct star_standing *standing, const struct star_tuning *tuning,
                      const struct star_decision *course, enum star_reason reason,
                      struct star_decision *decision);
/* After a period of MONITOR: goes on. False: the chosen one has become slow, and another is to be chosen. */
bool star_choose_stays(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct star_decision *course, double average, double lately,
                       struct star_decision *decision);
/* star_way's adapt, where the second best takes over from a chosen one that has become slow. */
void star_choose_adapt(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct star_decision *course, double average, double lately,
                       struct star_decision *decision);
/* After a period of MONITOR: goes on, and waits longer for the next agreement. */
void star_choose_same(const struct star_tuning *tuning, const struct star_decision *course,
                      struct star_decision *decision);
/* While tuning is paused, and not all is measured: the best that is known. */
void star_choose_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                      const struct star_decision *course, struct star_decision *decision);
