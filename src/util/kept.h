/* SPDX-License-Identifier: BSD-3-Clause
 * The reports of the user's last runs: files in one folder, named by their date (UTC), so that the oldest
 * comes first; those of dates to come, which a clock that was ahead gave them, come before. Jobs that end at
 * the same time write and remove side by side. */
#pragma once

#include "util/why.h"

#include <stddef.h>

enum { STAR_KEPT_NAME = 64 };
struct star_kept {
    char (*name)[STAR_KEPT_NAME]; /* the oldest first */
    int count;
};

/* $XDG_STATE_HOME/startune/reports, or that in ~/.local/state. STAR_ENEEDS where there is no home. */
int star_kept_folder(char *path, size_t room, struct star_why *why);
/* The files of FOLDER; none where there is no such folder. STAR_EMEMORY; STAR_ESYSTEM where it cannot be
 * read. */
int star_kept_list(const char *folder, struct star_kept *kept, struct star_why *why);
void star_kept_free(struct star_kept *kept);
/* Adds a file to FOLDER, whole or not at all, and removes the oldest ones but MOST. STAR_ENEEDS where the
 * folder is none and cannot be made, STAR_ESYSTEM where the file cannot be written. */
int star_kept_add(const char *folder, const char *bytes, size_t length, int most, struct star_why *why);
