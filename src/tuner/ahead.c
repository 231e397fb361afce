/* SPDX-License-Identifier: BSD-3-Clause
 * Operations in which a rank may go on before the others have come as far: a broadcast's root, who sends to a
 * reduction's. Then calls in a row overlap. At first a call takes longer than in the long run, on the slowest
 * rank, which waits for all that is before it; on the others it takes no longer, or far less. So the further
 * ranks are apart the more a few calls say too much, or are unsure.
 * The numbers are fitted to the calls that are recorded in bench/data (see docs/replay.md). */
#include "tuner/ahead.h"

#include <math.h>

double star_ahead_longer(double apart, int64_t row)
{
    static const double most = 1.3, half = 1.25, waited = 17, passes = 64;
    double calls = (double)row, passed = calls / passes;
    return fmin(most * (1 - exp(-apart / half)), waited / calls) / (1 + passed * passed);
}

double star_ahead_variance(double apart, int64_t row)
{
    static const double most = 0.65, half = 0.4, calls = 8;
    double off = apart > 0 ? most * (1 - exp(-apart / half)) : 0;
    return off * off / (1 + (double)row / calls);
}

double star_ahead_together(double first, double calls)
{
    return first > 0 && calls > 0 ? calls * exp(first / cbrt(calls)) : calls;
}
