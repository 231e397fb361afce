/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/period.h"
#include "tuner/sample.h"
#include "tuner/stall.h"
#include "util/quantile.h"

#include <math.h>

void star_period_begin(struct star_period *period)
{
    *period = (struct star_period){.least = INFINITY};
}

static double plain_mean(const struct star_period *period)
{
    return period->calls > 0 ? (period->rest + period->longest) / (double)period->calls : 0;
}

void star_period_add(struct star_period *period, double seconds)
{
    if (!(seconds > 0))
        seconds = plain_mean(period);
    if (star_is_stall(period->least, seconds)) { /* it began with a stall, which nobody could know then */
        period->kept = period->usual = 0;
        period->kept_calls = period->usual_calls = period->longer = 0;
    }
    if (seconds > 0)
        period->least = fmin(period->least, seconds);
    if (!star_is_outlier(seconds, period->least)) {
        period->kept += seconds;
        period->kept_calls++;
    }
    if (seconds > 0 && !star_is_stall(seconds, period->least)) {
        period->usual_calls++;
        double counted = star_usual(seconds, period->least, period->usual_calls);
        period->usual += counted;
        period->longer += seconds > counted;
    }
    period->rest += fmin(seconds, period->longest);
    period->longest = fmax(seconds, period->longest);
    period->calls++;
}

double star_period_mean(const struct star_period *period)
{
    if (period->calls > 1 && star_is_stall(period->longest, period->least))
        return period->rest / (double)(period->calls - 1);
    return plain_mean(period);
}

double star_period_usual(const struct star_period *period)
{
    if (star_is_usual(period->longer, period->usual_calls))
        return star_period_mean(period);
    return period->usual_calls > 0 ? period->usual / (double)period->usual_calls : 0;
}

int64_t star_period_longer(const struct star_period *period)
{
    return star_is_usual(period->longer, period->usual_calls) ? 0 : period->longer;
}

double star_period_filtered_mean(const struct star_period *period)
{
    return 2 * period->kept_calls >= period->calls ? period->kept / (double)period->kept_calls
                                                   : star_period_mean(period);
}
