/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/gain.h"

struct star_gain star_gain_of(double seconds, double before, double after)
{
    const double of_gain = 0.6, of_run = 0.03;
    struct star_gain gain = {.expected = before - after, .believable = before <= seconds};
    gain.error = of_gain * gain.expected + of_run * seconds;
    return gain;
}

bool star_gain_is_worth_telling(const struct star_gain *gain, double seconds)
{
    const double least = 0.1, least_share = 0.01;
    return gain->believable && gain->expected > least && gain->expected - gain->error > least_share * seconds;
}
