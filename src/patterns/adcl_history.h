/* SPDX-License-Identifier: BSD-3-Clause
 * History of a program's own function-sets, by ADCL's interface: the program says which problems of the past
 * are like a new one, and how far they are from it. The wisdom remembers them. */
#ifndef STAR_PATTERNS_ADCL_HISTORY_H
#define STAR_PATTERNS_ADCL_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

struct star_fnctset;
struct star_request;

/* The word of a request's problem; false: its function-set has no history, or its vector or topology is none
 * that ADCL's history knows. */
bool star_adcl_history_problem(const struct star_request *request, char *word, size_t room);
/* Is what was seen of a function-set for later runs? */
bool star_adcl_history_tells(const struct star_fnctset *set);

#endif
