/* SPDX-License-Identifier: BSD-3-Clause
 * Where stores lie, and what can be told of one from outside, without SQLite. */
#pragma once

#include "util/text.h"
#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>

enum { STAR_WISDOM_PATH = 4096 };

/* The user's: $XDG_DATA_HOME/startune/wisdom.db, or that in ~/.local/share. STAR_ENEEDS where there is no
 * home. */
int star_wisdom_path(char *path, size_t room, struct star_why *why);
/* The site's. */
extern const char star_wisdom_site[];

/* Is it a file of this user? And one that nobody else writes? Only beside such a store files are kept. */
bool star_wisdom_is_own(const char *path);
bool star_wisdom_is_private(const char *path);
/* Adds one word that each transaction changes, "none" where there is no file. False: there is one that no
 * store can be. The file is opened and closed: not to be called while this process has the store open, whose
 * locks that would end. */
bool star_wisdom_state(const char *path, struct star_text *word);
/* Appends the file PATH, of BYTES_MOST bytes at most; false: it is none of this user's, or there is none. */
bool star_wisdom_read_own(const char *path, size_t bytes_most, struct star_text *text);
/* The same of whoever's file, for administrators. STAR_EINPUT: it is no file, or too long. STAR_ESYSTEM. */
int star_wisdom_read_anyones(const char *path, size_t bytes_most, struct star_text *text,
                             struct star_why *why);
