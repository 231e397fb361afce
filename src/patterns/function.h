/* SPDX-License-Identifier: BSD-3-Clause
 * Functions and function-sets of the program. */
#ifndef STAR_PATTERNS_FUNCTION_H
#define STAR_PATTERNS_FUNCTION_H

#include "patterns/patterns.h"

/* Makes a function for the predefined sets and for ADCL's; NULL and refused. */
int star_function_make(const struct star_work *work, STAR_Attrset attrset, const int *values,
                       const char *name, STAR_Function *function, const char *call);
int star_fnctset_make_single(const struct star_work *work, STAR_Attrset attrset, const char *name,
                             int *const *without, int count_without, STAR_Fnctset *fnctset, const char *call);

#endif
