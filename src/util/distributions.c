/* SPDX-License-Identifier: BSD-3-Clause
 * The incomplete beta function is the continued fraction of Abramowitz and Stegun, 26.5.8, evaluated by
 * Lentz's method (Lentz 1976; Thompson and Barnett 1986). */
#include "util/distributions.h"

#include <float.h>
#include <math.h>

double star_normal_above(double z)
{
    return 0.5 * erfc(z / sqrt(2));
}

/* Of the fraction, from I = 1 on. */
static double numerator(double a, double b, double x, int i)
{
    int m = i / 2;
    return i % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                      : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

static double apart_from_zero(double value)
{
    return fabs(value) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : value;
}

/* 1 + d1 / (1 + d2 / (1 + ...)), which converges fast where X is less than (A + 1) / (A + B + 2). */
static double fraction(double a, double b, double x)
{
    enum { TERMS_MOST = 10000 };
    double above = 1, below = 0, value = 1, factor = 0;
    for (int i = 1; i < TERMS_MOST && fabs(factor - 1) > DBL_EPSILON; i++) {
        double term = numerator(a, b, x, i);
        below = 1 / apart_from_zero(1 + term * below);
        above = apart_from_zero(1 + term / above);
        factor = above * below;
        value *= factor;
    }
    return value;
}

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* I_x(a, b) */
static double incomplete_beta(double a, double b, double x)
{
    if (!(x > 0) || !(x < 1))
        return x > 0;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(b, a, 1 - x);
    double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    return front / (a * fraction(a, b, x));
}

double star_student_below(double t, double freedom)
{
    static const double many = 1e6;
    if (freedom > many)
        return star_normal_above(-t);
    double outside = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
    return t > 0 ? 1 - outside / 2 : outside / 2;
}

double star_student_quantile(double p, double freedom)
{
    double low = 0, high = 1;
    while (star_student_below(high, freedom) < p && high < DBL_MAX / 2)
        high *= 2;
    for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2)
        if (star_student_below(middle, freedom) < p)
            low = middle;
        else
            high = middle;
    return high;
}

double star_coins(int k, int count)
{
    return exp(log_gamma(count + 1) - log_gamma(k + 1) - log_gamma(count - k + 1) - count * log(2));
}
