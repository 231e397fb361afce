/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the program's, in whatever language: CALL knows what they take and return. */
#pragma once

#include "startune_patterns.h"

#include <stddef.h>

typedef void star_any_work(void);
struct star_work {
    int (*call)(star_any_work *work, STAR_Request request); /* returns 0, or the program's error */
    star_any_work *init, *wait;                             /* WAIT NULL: INIT does all */
};

/* Runs a half of WORK, or nothing where it is NULL; what it returned. */
static inline int star_work_run(const struct star_work *work, star_any_work *half, STAR_Request request)
{
    return half != NULL ? work->call(half, request) : 0;
}

/* Functions as startune_patterns.h has them. */
static inline int star_work_call(star_any_work *work, STAR_Request request)
{
    return ((STAR_Work *)work)(request);
}
