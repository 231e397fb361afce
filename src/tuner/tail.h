/* SPDX-License-Identifier: BSD-3-Clause
 * Long calls: who is to blame for them. */
#pragma once

#include "tuner/standing.h"

/* By how many seconds I's calls take longer in the mean than usual because of long ones, beyond what others
 * meet in as much time. */
double star_tail_of(const struct star_standing *standing, int i);
/* If I's long calls eat up what it usually saves, so that it takes more than native's SECONDS, and native has
 * not run for long enough to tell whether they are the machine's noise: how many calls it still has to, in
 * one visit. */
int64_t star_tail_unknown(const struct star_standing *standing, int i, double seconds);
/* Forgets the long calls of those that have not run for long, where LEFT seconds pay another trial: they
 * become costs. */
void star_tails_forgive(struct star_standing *standing, double left);
