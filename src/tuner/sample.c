/* SPDX-License-Identifier: BSD-3-Clause
 * From samples to figures. */
#include "tuner/strategy.h"
#include "util/quantile.h"

#include <math.h>

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

/* *LONGER: how many took longer than they count. */
static double usual_of(const double *samples, int calls, int part, int *longer)
{
    double least = INFINITY, usual = 0, all = 0;
    *longer = 0;
    for (int i = 0; i < calls; i++)
        least = fmin(least, samples[i]);
    for (int i = 0; i < calls; i++) {
        double counted = star_usual(samples[i], least, calls);
        *longer += samples[i] > counted;
        usual += i < part ? counted : 0;
        all += i < part ? samples[i] : 0;
    }
    if (!star_is_usual(*longer, calls))
        return usual / part;
    *longer = 0;
    return all / part;
}

double star_usual_mean(const double *samples, int calls, int part)
{
    int longer;
    return usual_of(samples, calls, part, &longer);
}

void star_visit_note(struct star_visit *visit, const double *samples, int calls)
{
    double least = INFINITY, squares = 0, all = 0;
    int kept = 0, longer;
    for (int i = 0; i < calls; i++) {
        least = fmin(least, samples[i]);
        all += samples[i];
    }
    visit->mean = star_filtered_mean(samples, calls);
    visit->usual = usual_of(samples, calls, calls, &longer);
    star_tail_note(&visit->tail, calls, calls, visit->usual, all / calls - visit->usual, longer);
    for (int i = 0; i < calls; i++)
        if (visit->mean > 0 && !star_is_outlier(samples[i], least)) {
            squares += (samples[i] / visit->mean - 1) * (samples[i] / visit->mean - 1);
            kept++;
        }
    visit->deviation = kept > 1 ? sqrt(squares / (kept - 1)) : 0;
    visit->calls = calls;
    visit->visits++;
    visit->ever++;
}
