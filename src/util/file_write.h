/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files, written. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes BYTES beside PATH and renames the new file to it, so that PATH holds the old or the new content,
 * never a part, though the machine fails meanwhile. Who may read and write a file stays. A link that the user
 * names stays, too, and what it leads to is replaced so, as editors and git do; but see star_file_check_link.
 * What is no regular file, such as /dev/null or a pipe, is written to directly, and so is what standard
 * output or error are: behind what stands there. Nothing else in startune writes files, but for SQLite. */
int star_file_write(const char *path, const char *bytes, size_t length, struct star_why *why);
/* The same without waiting for the disk: a machine that fails within seconds may leave an empty file. Nor for
 * somebody who reads a pipe: one that nobody has opened is an error. */
int star_file_write_soon(const char *path, const char *bytes, size_t length, struct star_why *why);
/* Adds BYTES to the end of PATH, a file of this user's, no link, or one that is made; with what others add at
 * the same time it is not mixed. Not where it would be longer than MOST. It is as long as *NOW then.
 * STAR_ESYSTEM. */
int star_file_append(const char *path, const char *bytes, size_t length, off_t most, off_t *now,
                     struct star_why *why);
/* Removes from FOLDER what processes left there a day ago that were killed while they wrote. */
void star_file_remove_halves(const char *folder);
/* STAR_ESYSTEM where PATH is a link of another user, neither this one nor the folder's, in a folder where
 * everybody may make some: it may lead to a file of this user's that nobody meant. */
int star_file_check_link(const char *path, struct star_why *why);
/* Does each star_file_write of PATH take the place of the one before? Else it writes behind that. */
bool star_file_is_replaced(const char *path);
/* Could star_file_write write PATH now? STAR_ESYSTEM; STAR_EINPUT for an empty name. Nothing is written. */
int star_file_check(const char *path, struct star_why *why);
