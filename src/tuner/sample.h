/* SPDX-License-Identifier: BSD-3-Clause
 * Figures from the samples of one candidate on one rank. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* ADCL's: the mean of the samples below three times the least, unless most are above. */
double star_filtered_mean(const double *samples, int count);
/* How much a call of SECONDS counts, of CALLS in a row of which the fastest took LEAST: one that was held up
 * counts, for there are methods that often are, but not for so much that a single one decides. */
double star_usual(double seconds, double least, int64_t calls);
/* But where so many of CALLS took longer than that, it is the method's way. */
bool star_is_usual(int64_t longer, int64_t calls);
/* The mean of what the first PART of CALLS count. *LONGER: how many took longer than they count, 0 where that
 * is the method's way; may be NULL. */
double star_usual_mean(const double *samples, int calls, int part, int *longer);
