/* SPDX-License-Identifier: BSD-3-Clause
 * What a candidate's calls are thought to take in the long run: the logarithm of their seconds is normally
 * distributed. */
#pragma once

#include <math.h>

struct star_outlook {
    double mean, variance; /* of the logarithm of the seconds */
};

/* How much slower than native, as a logarithm, methods are expected to be that nothing is known of. */
#define STAR_BEHIND_NATIVE 0.2

/* The seconds to be expected. */
static inline double star_expected(const struct star_outlook *outlook)
{
    return exp(outlook->mean + outlook->variance / 2);
}
