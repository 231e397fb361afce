/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's history entries, made of what is remembered. All that they point at is of malloc, as their fields
 * may be the program's reader's. */
#ifndef STAR_PATTERNS_HIST_H
#define STAR_PATTERNS_HIST_H

#include "adcl.h"
#include "functions/own_problem.h"
#include "patterns/patterns.h"

/* What a request is about. False: ADCL's history knows no such topology, or this one no such vector. */
bool star_hist_problem(const struct star_request *request, struct star_own_problem *about);
/* An entry without a solution: NULL without memory. */
ADCL_Hist star_hist_new(const struct star_own_problem *about);
/* What PAST knows of a problem, in the functions of CHOICE, takes the place of what HIST has. False: nothing,
 * or there is no memory. */
bool star_hist_solve(ADCL_Hist hist, const struct star_choice *choice, const struct star_past *past,
                     int problem);
void star_hist_free(ADCL_Hist hist);

/* The word of a request's problem; false: its function-set has no history, or its vector or topology is none
 * that ADCL's history knows. */
bool star_hist_word(const struct star_request *request, char *word, size_t room);
/* Is what was seen of a function-set for later runs? */
bool star_hist_tells(const struct star_fnctset *set);

#endif
