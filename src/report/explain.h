/* SPDX-License-Identifier: BSD-3-Clause
 * Explaining a report. */
#pragma once

#include "util/why.h"

#include <jansson.h>

/* Adds to each context what follows from what was measured: "where" it is called (and "function", "file",
 * "line"), "seconds_per_call" of its method, its "share" of the run, "confidence", how much of it
 * "waits", and why it is worth "attention"; and to each request the same, but where it is and what waits. The
 * interval of what was saved is null where a report of an earlier version has none. STAR_EMEMORY. */
int star_report_explain(json_t *report, struct star_why *why);
/* The chosen method of a context, or function of a request: of several of one name, the one with its
 * attributes. NULL: it is not in the report. */
const json_t *star_report_chosen(const json_t *item);
/* Which share of the ranks' time in a context's calls passes before the last rank comes, at most; NaN: it is
 * not known, or ranks have different parts in the operation. */
double star_report_waits(const json_t *context);
