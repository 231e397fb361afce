/* SPDX-License-Identifier: BSD-3-Clause
 * The guard: what an open file may do. */
#pragma once

#include "store/base.h"

#include <stddef.h>

/* Lets an open file do nothing but hold tables, and take only so many steps. */
int star_wisdom_guard(struct star_wisdom *store, struct star_why *why);
/* STAR_EWRONG: there is more than tables in it. */
int star_wisdom_check_tables(struct star_wisdom *store, struct star_why *why);
/* Gives the store all its steps anew: before something is asked of it. */
void star_wisdom_begin(struct star_wisdom *store);
