/* SPDX-License-Identifier: BSD-3-Clause
 * Of the setting `force` those words that name a function of a predefined function-set, such as
 * neighborhood:fence_put,data=pack or ibcast:blocking. The others are methods of MPI's operations. No MPI in
 * here. */
#pragma once

#include "util/why.h"

#include <stddef.h>

/* Leaves in OTHERS, of ROOM bytes, the words of TEXT that are methods. STAR_EINPUT: a function-set has no
 * such function, or it is too long. */
int star_forced_split(const char *text, char *others, size_t room, struct star_why *why);
/* The number of the first function of SET that TEXT names; −1: none. */
int star_forced_function(const char *text, const char *set);
