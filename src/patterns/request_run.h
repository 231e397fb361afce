/* SPDX-License-Identifier: BSD-3-Clause
 * Runs of requests. */
#ifndef STAR_PATTERNS_REQUEST_RUN_H
#define STAR_PATTERNS_REQUEST_RUN_H

#include "patterns/patterns.h"

/* request_run.c: STAR_Request_start_overlap, also with functions that return nothing. */
struct star_parts {
    struct star_work middle, end, total; /* the init of each */
};
int star_request_overlap(STAR_Request request, const struct star_parts *parts, const char *call);

#endif
