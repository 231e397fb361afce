/* SPDX-License-Identifier: BSD-3-Clause
 * Requests that are alike share a choice. */
#pragma once

#include "patterns/patterns.h"

/* The same on all ranks that may make the request together. */
uint64_t star_request_hash(const struct star_request *request);
/* Gives it a choice, where all ranks are ABLE to have it: that of requests like it, or a new one. Collective;
 * all ranks return the same. */
bool star_request_join(struct star_request *request, bool able);
/* Has its timer, or who tells its times, changed? */
void star_request_remeasure(struct star_request *request);
/* A measure that no request has yet. */
int64_t star_measure_new(void);
/* Joins those that are measured as it is WANTED now. STAR_SUCCESS, or refused. */
int star_request_rejoin(struct star_request *request, const char *call);
