/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment; never steps back. */
static inline int64_t star_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Nanoseconds since BEGIN, and none where the clock stepped back all the same, as some virtual machines'
 * do. */
static inline int64_t star_since(int64_t begin)
{
    int64_t now = star_now();
    return now > begin ? now - begin : 0;
}
