/* SPDX-License-Identifier: BSD-3-Clause
 * What the measured times of methods say. Medians and ranks: a few outliers change neither, so none is
 * dropped. */
#pragma once

/* The least number of times that have an interval: between fewer the median lies too seldom. */
enum { STAR_TIMES_LEAST = 6 };

/* Of COUNT times in any order, 1 at least; NAN when out of memory. */
double star_median(const double *times, int count);

/* Between two of the times, in whatever way they are spread: the true median lies there in 95 of 100 cases,
 * or more often. WIDTH is the half of it over the median; INFINITY of fewer than STAR_TIMES_LEAST. */
struct star_interval {
    double low, high, width;
};
struct star_interval star_median_interval(const double *times, int count);

/* How probable it is, of methods that are equally fast, that the COUNT times come out so much greater than
 * the OTHERS, or more (the rank-sum test of Wilcoxon, Mann and Whitney, on one side): exact for up to 24
 * times together, and from the normal distribution for more. Small: the times are slower. NAN when out of
 * memory. */
double star_slower_by_chance(const double *times, int count, const double *others, int other_count);
