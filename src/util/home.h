/* SPDX-License-Identifier: BSD-3-Clause
 * Where a user's own files lie (the XDG base directories), and the folders above them. */
#pragma once

#include "util/why.h"

#include <stddef.h>

/* FILE in the folder that the environment's VARIABLE names, such as XDG_STATE_HOME; without it, in the folder
 * USUAL of HOME. STAR_ENEEDS where there is no home, STAR_EINPUT where the path does not fit into ROOM. */
int star_home_path(char *path, size_t room, const char *variable, const char *usual, const char *file,
                   struct star_why *why);
/* Makes the folders above PATH, for the user alone. STAR_ESYSTEM, STAR_EINPUT. */
int star_home_make(const char *path, struct star_why *why);
