/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_UTIL_CLOCK_H
#define STAR_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment; never steps back. */
static inline int64_t star_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
