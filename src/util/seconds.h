/* SPDX-License-Identifier: BSD-3-Clause
 * Seconds, as the tuner has times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In the default floating-point environment. */
double star_seconds(int64_t nanoseconds);

/* A time of which nothing is known. It is no NaN, since comparing with one is a floating-point exception. */
#define STAR_UNKNOWN_SECONDS (-1.0)
static inline bool star_is_known(double seconds)
{
    return seconds >= 0;
}
