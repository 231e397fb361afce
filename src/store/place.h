/* SPDX-License-Identifier: BSD-3-Clause
 * What lies beside a store: the lock on a file system that has none, journals, and damaged files. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* STAR_EINPUT where PATH or its journal is there and no file: SQLite would wait for ever, or write beside a
 * device. */
int star_place_check(const char *path, struct star_why *why);
/* Does PATH's file system have locks? The file itself tells: MAKE makes it where there is none. */
bool star_place_has_locks(const char *path, bool make);
/* Takes the lock's folder of PATH away if it is old. */
void star_place_break_lock(const char *path);
/* Makes it; false: somebody has it (errno is EEXIST), or it cannot be made. And takes one's own away. */
bool star_place_take_lock(const char *path);
void star_place_give_lock(const char *path);
/* Until nobody has it, for a second at most. */
void star_place_await_lock(const char *path);
/* A journal lies beside PATH: somebody is writing, or was killed. */
bool star_place_has_journal(const char *path);
/* Renames PATH, if it is the file of that number still, and its journal; ASIDE is what it is now. Processes
 * do so by turns, with a folder of their own as the lock. */
int star_place_set_aside(const char *path, dev_t device, ino_t number, char *aside, size_t room,
                         struct star_why *why);
