/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/stall.h"

#include <math.h>

bool star_is_stall(double seconds, double usual)
{
    static const double least = 0.5, times = 100;
    return seconds > least && seconds > times * usual;
}

static double least_of(const double *samples, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        if (samples[i] > 0)
            least = fmin(least, samples[i]);
    return least;
}

void star_samples_mend(double *samples, int count)
{
    double least = least_of(samples, count), total = 0;
    int stalls = 0, good = 0;
    for (int i = 0; i < count; i++)
        stalls += star_is_stall(samples[i], least);
    double bound = stalls == 1 ? least : INFINITY;
    for (int i = 0; i < count; i++)
        if (samples[i] > 0 && !star_is_stall(samples[i], bound)) {
            total += samples[i];
            good++;
        }
    for (int i = 0; good > 0 && i < count; i++)
        if (!(samples[i] > 0) || star_is_stall(samples[i], bound))
            samples[i] = total / good;
}
