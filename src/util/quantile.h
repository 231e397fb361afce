/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Was a call of SECONDS disturbed, of those of which the shortest took LEAST? So ADCL says. */
static inline bool star_is_outlier(double seconds, double least)
{
    return seconds > least && seconds >= 3 * least;
}

/* Sorts COUNT values, the least first. */
void star_sort(double *values, int count);
/* What SHARE of the sorted values lie below, between two of them in proportion: 0.5 is the median. */
double star_quantile(const double *sorted, int count, double share);
/* Sorts them, and says the median. */
double star_sort_median(double *values, int count);
/* Sorts them, and keeps each value once; returns how many are left. */
int star_sort_distinct(int64_t *values, int count);
/* The mean of so many times, sorted then, but for the longest quarter, in which something else came between.
 * 0 of none. */
uint32_t star_sort_typical(uint32_t *nanoseconds, uint32_t count);
