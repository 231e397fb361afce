/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for people and programs to read. */
#pragma once

#include "plan/plan.h"
#include "util/text.h"

/* Who sends what to whom in which round, a line a step, for one rank. */
void star_print_plan(struct star_text *text, const struct star_plan *plan);
/* The same as one JSON object. */
void star_print_plan_json(struct star_text *text, const struct star_plan *plan);
/* "PHASE SRC DST" a line: the data messages of the COUNT plans' ranks, by phase. */
void star_print_phases(struct star_text *text, const struct star_plan *const *plans, int count);
