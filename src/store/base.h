/* SPDX-License-Identifier: BSD-3-Clause
 * An open store, as the files of this room share it, and what all ask of SQLite. */
#pragma once

#include "store/store.h"

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

/* Says why SQLite failed, in its words: STAR_EWRONG for damage, STAR_EMEMORY, else STAR_ESYSTEM. */
int star_wisdom_because(const struct star_wisdom *store, struct star_why *why);
/* Runs SQL that gives no rows. */
int star_wisdom_do(struct star_wisdom *store, const char *sql, struct star_why *why);
