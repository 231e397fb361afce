/* SPDX-License-Identifier: BSD-3-Clause
 * A run that tries each method once. */
#ifndef STAR_REPLAY_ONCE_H
#define STAR_REPLAY_ONCE_H

#include "replay/truth.h"

/* A run in which each method is planned and called once, in the trace's order; from then on the best one
 * runs, without an agreement: what must be paid by whoever tries all, were the first call enough to know. */
void star_replay_once(const struct star_truth *truth, struct star_moment *moments, int count);

#endif
