/* SPDX-License-Identifier: BSD-3-Clause
 * What one rank sees of the chosen method between two agreements: its calls' times, which are not kept. */
#pragma once

#include <stdint.h>

struct star_period {
    int64_t calls;
    double least, longest, rest; /* the sum of all but the longest */
    double kept;                 /* the sum of those that are no outliers, as far as that is known yet */
    int64_t kept_calls;
    int64_t longer; /* so many calls took longer than they count by star_usual; */
    double usual;   /* the sum of what they count, */
    int64_t usual_calls;
};

void star_period_begin(struct star_period *period);
/* SECONDS ≤ 0 are those of a clock that stepped back: the call is taken to be like those before. */
void star_period_add(struct star_period *period, double seconds);
/* The mean of its calls, but for one that stalled; that of what they count by star_usual; and the one that
 * star_filtered_mean would give. */
double star_period_mean(const struct star_period *period);
double star_period_usual(const struct star_period *period);
/* How many calls took longer than they count for the usual mean. */
int64_t star_period_longer(const struct star_period *period);
double star_period_filtered_mean(const struct star_period *period);
