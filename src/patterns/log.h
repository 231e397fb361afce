/* SPDX-License-Identifier: BSD-3-Clause
 * The decisions of requests, in lines like those of contexts: runtime/log.c. On rank 0, where they are asked
 * for. */
#ifndef STAR_PATTERNS_LOG_H
#define STAR_PATTERNS_LOG_H

#include "patterns/choice.h"

/* Before it is noted in the choice. */
void star_choice_log(const struct star_choice *choice, const struct star_decision *decision);
void star_choice_log_left_out(const struct star_choice *choice, int function, enum star_reason reason);

#endif
