/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that say nothing of their method: the machine slept, a process was stopped, a clock stepped. One such
 * call must decide nothing. */
#pragma once

#include <stdbool.h>

/* Has a call of SECONDS lasted so much longer than the USUAL ones that no method is the reason? TCP's
 * time-outs are shorter, and say something of a method. */
bool star_is_stall(double seconds, double usual);
/* Of COUNT calls of one method, the one that stalled, and those that lasted no time because the clock stepped
 * back, are taken to have lasted as long as the others on average. Two that stalled are believed. */
void star_samples_mend(double *samples, int count);
