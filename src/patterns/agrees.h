/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks of a request agree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct star_request;

/* Is it OK on all ranks? Collective. */
bool star_request_agrees(const struct star_request *request, bool ok);
/* Adds up each of COUNT figures of all ranks. Collective. */
void star_request_add_up(const struct star_request *request, double *figures, int64_t count);
