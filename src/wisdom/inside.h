/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of this room share of an open store. */
#ifndef STAR_WISDOM_INSIDE_H
#define STAR_WISDOM_INSIDE_H

#include "wisdom/store.h"

#include <sqlite3.h>
#include <sys/types.h>

struct star_wisdom {
    sqlite3 *base;
    char *path;
    enum star_wisdom_access access;
    bool unlockable;
    dev_t device; /* of the file that was opened */
    ino_t number;
    int64_t steps, steps_most; /* that SQLite may still take, and for all that it is asked at once */
    char note[400];
};

/* STAR_EWRONG for damage, STAR_EMEMORY, else STAR_ESYSTEM, with SQLite's words. */
int star_wisdom_because(const struct star_wisdom *store, struct star_why *why);
int star_wisdom_do(struct star_wisdom *store, const char *sql, struct star_why *why);
/* guard.c: an open file may do nothing but hold tables, and only so many steps. */
int star_wisdom_guard(struct star_wisdom *store, struct star_why *why);
/* STAR_EWRONG: there is something else in it. */
int star_wisdom_check_tables(struct star_wisdom *store, struct star_why *why);
/* Before something is asked of the store: it may take all its steps. */
void star_wisdom_begin(struct star_wisdom *store);
/* Closes a damaged file, renames it, and opens a new one in its place. */
int star_wisdom_replace(struct star_wisdom *store, struct star_why *why);

/* place.c: does the file system of PATH have locks? The file itself tells: MAKE makes it where there is none.
 */
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

#endif
