/* SPDX-License-Identifier: BSD-3-Clause
 * Timers. */
#pragma once

#include "patterns/patterns.h"

/* Its requests have none any more. */
void star_timer_forget(struct star_timer *timer, struct star_request *request);
