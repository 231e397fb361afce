/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 says of the search. */
#pragma once

#include "stage.h"

/* As cli/common/progress.h has it. */
void say_progress(const struct star_trial *trial, int done, int all, double seconds);
/* TRIAL is left out. */
void say_left_out(const struct star_trial *trial, const struct star_why *why);
/* What was found, on standard output; WHOLE: before the time was over. */
void say_summary(const struct star_search *search, const char *file, bool whole);
/* Where it was measured. */
void say_machine(const struct stage *stage, struct star_map_machine *machine);
