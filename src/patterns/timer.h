/* SPDX-License-Identifier: BSD-3-Clause
 * Timers. */
#ifndef STAR_PATTERNS_TIMER_H
#define STAR_PATTERNS_TIMER_H

#include "patterns/patterns.h"

/* Its requests have none any more. */
void star_timer_forget(struct star_timer *timer, struct star_request *request);

#endif
