/* SPDX-License-Identifier: BSD-3-Clause
 * By what a request's functions are compared. */
#ifndef STAR_PATTERNS_MEASURE_H
#define STAR_PATTERNS_MEASURE_H

#include "patterns/patterns.h"

/* Has its timer, or who tells its times, changed? */
void star_request_remeasure(struct star_request *request);
/* A measure that no request has yet. */
int64_t star_measure_new(void);

#endif
