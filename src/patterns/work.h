/* SPDX-License-Identifier: BSD-3-Clause
 * Calls the program's functions. */
#ifndef STAR_PATTERNS_WORK_H
#define STAR_PATTERNS_WORK_H

#include "patterns/patterns.h"

/* Runs the first or the second half of the work, where there is one; what it returned. */
int star_work_init(const struct star_work *work, STAR_Request request);
int star_work_wait(const struct star_work *work, STAR_Request request);

#endif
