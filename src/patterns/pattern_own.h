/* SPDX-License-Identifier: BSD-3-Clause
 * Function-sets of the program, and what is remembered of them. */
#pragma once

#include "functions/history.h"
#include "startune_patterns.h"

#include <stdbool.h>
#include <stddef.h>

struct star_request;

extern const struct star_pattern star_pattern_own;

/* Requests of FNCTSET are remembered from now on, and, if it TELLS, later runs hear of them. How near
 * problems are, HISTORY says, BYTES of which are kept for whoever asks. STAR_SUCCESS, or refused. Local. */
int star_own_remember(STAR_Fnctset fnctset, const void *history, size_t bytes, bool tells, const char *call);
/* What was given there; NULL: nothing. */
const void *star_own_history(const struct star_request *request);
/* Before the first run of requests that learn together: asks what is remembered, where all ranks are ABLE to.
 * Collective. */
void star_own_recall(struct star_request *request, bool able, star_weigher *weigh, const void *context);
