/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/times.h"
#include "util/distributions.h"
#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_MOST = 24 };
#define CONFIDENCE 0.95

static double *sorted_copy(const double *times, int count)
{
    double *copy = malloc((size_t)(count > 0 ? count : 1) * sizeof *copy);
    if (copy == NULL)
        return NULL;
    memcpy(copy, times, (size_t)count * sizeof *copy);
    star_sort(copy, count);
    return copy;
}

double star_median(const double *times, int count)
{
    double *sorted = sorted_copy(times, count);
    double median = sorted ? star_quantile(sorted, count, 0.5) : NAN;
    free(sorted);
    return median;
}

/* The time with DROPPED ones below it, and the one with as many above, have the median between them unless as
 * few times, or fewer, fell on one side of it: as coins fall. */
static int dropped_of(int count)
{
    enum { DEVIATIONS = 12 }; /* so far below the middle all together are nothing */
    int dropped = (int)fmax(0, floor((count - DEVIATIONS * sqrt(count)) / 2));
    double fewer = star_coins(dropped, count);
    while (fewer <= (1 - CONFIDENCE) / 2)
        fewer += star_coins(++dropped, count);
    return dropped - 1;
}

struct star_interval star_median_interval(const double *times, int count)
{
    struct star_interval interval = {0, INFINITY, INFINITY};
    double *sorted = count >= STAR_TIMES_LEAST ? sorted_copy(times, count) : NULL;
    if (sorted != NULL) {
        int dropped = dropped_of(count);
        interval.low = sorted[dropped];
        interval.high = sorted[count - 1 - dropped];
        interval.width = (interval.high - interval.low) / 2 / star_quantile(sorted, count, 0.5);
    }
    free(sorted);
    return interval;
}

/* Twice the rank of each time among all of SORTED: equal ones share the mean of their ranks. */
static int doubled_rank(double time, const double *sorted, int count)
{
    int below = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        below += sorted[i] < time;
        equal += sorted[i] == time;
    }
    return 2 * below + equal + 1;
}

struct ranks {
    int all[EXACT_MOST]; /* doubled */
    int count, chosen;   /* how many of them are the times' */
    int sum;
};

/* The share of all ways to choose as many of the ranks whose sum is as great, or greater. */
static double exact_share(const struct ranks *ranks)
{
    enum { SUMS = EXACT_MOST * (EXACT_MOST + 1) + 1 };
    double(*ways)[SUMS] = calloc((size_t)ranks->chosen + 1, sizeof *ways);
    double above = 0, total = 0;
    int most = 0; /* the sum of the ranks so far */
    if (ways == NULL)
        return NAN;
    ways[0][0] = 1;
    for (int i = 0; i < ranks->count; i++) {
        most += ranks->all[i];
        for (int taken = i < ranks->chosen ? i + 1 : ranks->chosen; taken > 0; taken--)
            for (int sum = most; sum >= ranks->all[i]; sum--)
                ways[taken][sum] += ways[taken - 1][sum - ranks->all[i]];
    }
    for (int sum = 0; sum <= most; sum++) {
        total += ways[ranks->chosen][sum];
        above += sum >= ranks->sum ? ways[ranks->chosen][sum] : 0;
    }
    free(ways);
    return above / total;
}

/* What equal times take from the variance. */
static double tied_share(const double *sorted, int count)
{
    double taken = 0;
    for (int i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && sorted[i + same] == sorted[i];)
            same++;
        taken += (double)same * same * same - same;
    }
    return taken / ((double)count * (count - 1));
}

static double normal_share(const double *sorted, int count, int chosen, double sum)
{
    double others = count - chosen, mean = chosen * (count + 1) / 2.0;
    double variance = chosen * others / 12 * (count + 1 - tied_share(sorted, count));
    return variance > 0 ? star_normal_above((sum - mean - 0.5) / sqrt(variance)) : 1;
}

double star_slower_by_chance(const double *times, int count, const double *others, int other_count)
{
    int all_count = count + other_count;
    double *all = malloc((size_t)all_count * sizeof *all + 1), share = NAN;
    struct ranks ranks = {.count = all_count, .chosen = count};
    if (all == NULL)
        return NAN;
    memcpy(all, times, (size_t)count * sizeof *all);
    memcpy(all + count, others, (size_t)other_count * sizeof *all);
    star_sort(all, all_count);
    for (int i = 0; i < count; i++)
        ranks.sum += doubled_rank(times[i], all, all_count);
    if (all_count <= EXACT_MOST) {
        for (int i = 0; i < all_count; i++)
            ranks.all[i] = doubled_rank(all[i], all, all_count);
        share = exact_share(&ranks);
    } else {
        share = normal_share(all, all_count, count, ranks.sum / 2.0);
    }
    free(all);
    return share;
}
