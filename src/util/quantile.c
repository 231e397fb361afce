/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/quantile.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void star_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
}

double star_quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int low = (int)at;
    return low + 1 < count ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

double star_sort_median(double *values, int count)
{
    star_sort(values, count);
    return star_quantile(values, count, 0.5);
}

static int ascending_integers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int star_sort_distinct(int64_t *values, int count)
{
    int kept = 0;
    qsort(values, (size_t)count, sizeof *values, ascending_integers);
    for (int i = 0; i < count; i++)
        if (kept == 0 || values[kept - 1] != values[i])
            values[kept++] = values[i];
    return kept;
}

static int ascending_times(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t star_sort_typical(uint32_t *nanoseconds, uint32_t count)
{
    uint32_t kept = count - count / 4;
    uint64_t sum = 0;
    qsort(nanoseconds, count, sizeof *nanoseconds, ascending_times);
    for (uint32_t i = 0; i < kept; i++)
        sum += nanoseconds[i];
    return kept > 0 ? (uint32_t)(sum / kept) : 0;
}
