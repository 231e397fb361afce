/* SPDX-License-Identifier: BSD-3-Clause
 * What fills the predefined function-sets with their functions. */
#pragma once

#include "patterns/patterns.h"

/* The function-set of a handle, predefined or the program's, with a reference for the caller;
 * NULL and refused. */
struct star_fnctset *star_fnctset_of(STAR_Fnctset handle, const char *call, const char *argument);
