/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks of a request agree. */
#ifndef STAR_PATTERNS_AGREES_H
#define STAR_PATTERNS_AGREES_H

#include "patterns/patterns.h"

/* Is it OK on all ranks? Collective. */
bool star_request_agrees(const struct star_request *request, bool ok);

#endif
