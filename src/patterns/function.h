/* SPDX-License-Identifier: BSD-3-Clause
 * Functions and function-sets of the program. */
#pragma once

#include "patterns/work.h"

/* Combinations of values that a function-set is without: a value for each attribute of the set, in ROWS, or
 * all in one piece. */
struct star_without {
    int count;
    int *const *rows;
    const int *piece;
};

/* As the public function CALL, for any work. */
int star_function_make(const struct star_work *work, STAR_Attrset attrset, const int *values,
                       const char *name, STAR_Function *function, const char *call);
int star_fnctset_make_single(const struct star_work *work, STAR_Attrset attrset, const char *name,
                             const struct star_without *without, STAR_Fnctset *fnctset, const char *call);
