/* SPDX-License-Identifier: BSD-3-Clause
 * What calls take where ranks may run ahead of each other, at first and in the long run. Times are told by
 * their logarithms; APART is by how much longer calls took on the slowest rank than on ranks in the mean. */
#ifndef STAR_TUNER_AHEAD_H
#define STAR_TUNER_AHEAD_H

#include <stdint.h>

/* By how much a call takes longer, in the mean of the first ROW ones in a row and on the slowest rank, than
 * in the long run; and the variance of that. None where ranks are not apart. */
double star_ahead_longer(double apart, int64_t row);
double star_ahead_variance(double apart, int64_t row);
/* The first CALLS in a row all together, in calls of the long run, if the FIRST one takes so much longer. */
double star_ahead_together(double first, double calls);

#endif
