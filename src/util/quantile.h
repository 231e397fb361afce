/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_UTIL_QUANTILE_H
#define STAR_UTIL_QUANTILE_H

/* Sorts COUNT values, the least first. */
void star_sort(double *values, int count);
/* What SHARE of the sorted values lie below, between two of them in proportion: 0.5 is the median. */
double star_quantile(const double *sorted, int count, double share);

#endif
