/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/sample.h"
#include "util/quantile.h"

#include <math.h>
#include <stddef.h>

double star_filtered_mean(const double *samples, int count)
{
    double least = INFINITY, total = 0, all = 0;
    int kept = 0;
    for (int i = 0; i < count; i++)
        least = fmin(least, samples[i]);
    for (int i = 0; i < count; i++) {
        all += samples[i];
        if (!star_is_outlier(samples[i], least)) {
            total += samples[i];
            kept++;
        }
    }
    return 2 * kept < count ? all / count : total / kept;
}

double star_usual(double seconds, double least, int64_t calls)
{
    static const double most = 10, least_most = 5, enough = 64;
    double share = fmin((double)calls / enough, 1);
    return fmin(seconds, (least_most + share * (most - least_most)) * least);
}

bool star_is_usual(int64_t longer, int64_t calls)
{
    enum { LEAST = 3, ONE_IN = 8 };
    return longer >= LEAST && ONE_IN * longer >= calls;
}

double star_usual_mean(const double *samples, int calls, int part, int *longer)
{
    double least = INFINITY, usual = 0, all = 0;
    int many = 0;
    for (int i = 0; i < calls; i++)
        least = fmin(least, samples[i]);
    for (int i = 0; i < calls; i++) {
        double counted = star_usual(samples[i], least, calls);
        many += samples[i] > counted;
        usual += i < part ? counted : 0;
        all += i < part ? samples[i] : 0;
    }
    bool is_way = star_is_usual(many, calls);
    if (longer != NULL)
        *longer = is_way ? 0 : many;
    return (is_way ? all : usual) / part;
}
