/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of names as Slurm writes them: n1, n[0-3,8], rack[0-1]n[00-15],login. A width with leading zeros is
 * kept. */
#pragma once

#include "util/why.h"

/* Gives each name of LIST to TAKE, in order, until that returns non-zero, which is returned. STAR_EINPUT:
 * what is wrong with the list, without file and line; what TAKE had before stays taken. */
int star_hostlist_each(const char *list, int (*take)(const char *name, void *context), void *context,
                       struct star_why *why);
