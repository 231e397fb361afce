/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/confidence.h"
#include "util/distributions.h"
#include "util/quantile.h"

#include <math.h>

struct figures {
    int count;
    double mean, variance;
};

static struct figures figures_of(const json_t *method)
{
    const json_t *samples = json_object_get(method, "samples");
    struct figures f = {0};
    double least = INFINITY, squares = 0;
    for (size_t i = 0; i < json_array_size(samples); i++)
        least = fmin(least, json_number_value(json_array_get(samples, i)));
    for (size_t i = 0; i < json_array_size(samples); i++) {
        double sample = json_number_value(json_array_get(samples, i));
        if (star_is_outlier(sample, least))
            continue;
        double apart = sample - f.mean;
        f.mean += apart / ++f.count;
        squares += apart * (sample - f.mean);
    }
    f.variance = f.count > 1 ? squares / (f.count - 1) : 0;
    return f;
}

/* The mean of all counted calls, which is not farther off than ERROR with 95 % confidence; of reports of
 * earlier versions nothing. */
static bool has_mean(const json_t *method, double *seconds, double *error)
{
    const json_t *mean = json_object_get(method, "mean_seconds"),
                 *most = json_object_get(method, "mean_error_seconds");
    *seconds = json_number_value(mean);
    *error = json_number_value(most);
    return json_is_number(mean) && json_is_number(most);
}

double star_report_confidence(const json_t *method, const json_t *other)
{
    static const double errors = 1.96; /* standard ones, in half of an interval of 95 % */
    double one, off_one, two, off_two;
    if (has_mean(method, &one, &off_one) && has_mean(other, &two, &off_two) && off_one + off_two > 0)
        return star_normal_above(errors * (one - two) / hypot(off_one, off_two));
    struct figures a = figures_of(method), b = figures_of(other);
    if (a.count < 2 || b.count < 2)
        return NAN;
    double u = a.variance / a.count, v = b.variance / b.count, apart = b.mean - a.mean;
    if (!(u + v > 0))
        return apart > 0 ? 1 : apart < 0 ? 0 : 0.5;
    double freedom = (u + v) * (u + v) / (u * u / (a.count - 1) + v * v / (b.count - 1));
    double sure = isfinite(freedom) ? star_student_below(apart / sqrt(u + v), freedom) : NAN;
    return isfinite(sure) ? sure : NAN;
}

/* The standard error of a mean, as a share of it. */
static double error_of(const struct figures *f)
{
    return f->count > 1 && f->mean > 0 ? sqrt(f->variance / f->count) / f->mean : NAN;
}

static double half_width(double error, double freedom)
{
    return error > 0 ? error * star_student_quantile(0.975, freedom) : error;
}

double star_report_spread(const json_t *method)
{
    double seconds, error;
    if (has_mean(method, &seconds, &error) && seconds > 0)
        return error / seconds;
    struct figures f = figures_of(method);
    return half_width(error_of(&f), f.count - 1);
}

const char *star_report_helped(const json_t *item)
{
    const json_t *low = json_object_get(item, "saved_low_seconds"),
                 *high = json_object_get(item, "saved_high_seconds");
    if (!json_is_number(low) || !json_is_number(high))
        return "not clear";
    return json_number_value(low) > 0 ? "yes" : json_number_value(high) < 0 ? "no" : "not clear";
}
