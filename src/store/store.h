/* SPDX-License-Identifier: BSD-3-Clause
 * The store of wisdom: facts in one SQLite file, of a user, or of a site, which is only read.
 *
 * Nothing of this is in the process of a program that startune stands in front of. SQLite there could be
 * another one than the program's own (Python brings one), and two in one process break each other's locks on
 * a file, which belong to the process. So what a program's rank 0 wants to know or to tell goes through a
 * pipe to a program of its own, startune-wisdom. Starting it costs a few milliseconds, so that plain files
 * beside the store spare most runs that: wisdom/cache.h, wisdom/spool.h.
 *
 * Writers take turns: each adds what it has in one transaction, waiting for the others up to a minute. The
 * file keeps a journal of the usual kind, not a shared one (WAL), which needs memory that machines of a
 * cluster do not share. A process killed at any moment leaves the file and its journal whole: the next one to
 * open them undoes what was half done. Where the file system has no locks, as some of clusters', a folder
 * beside the file is the lock; one that is two minutes old belonged to a process that is no more, and is
 * taken away. There, others' stores and those in a folder that may not be written are read without. */
#pragma once

#include "util/why.h"

#include <stdbool.h>

enum { STAR_WISDOM_VERSION = 2 };
enum star_wisdom_access {
    STAR_WISDOM_READ,
    STAR_WISDOM_WRITE,            /* it is made where there is none */
    STAR_WISDOM_AMEND,            /* it is written, but neither made nor set aside */
    STAR_WISDOM_WRITE_UNLOCKABLE, /* as on a file system without locks, which is found out otherwise */
};

struct star_wisdom;

/* STAR_ESYSTEM where the file cannot be opened or made; STAR_EINPUT where it is another program's, or of a
 * newer startune: it is left as it is. An empty file holds no facts. One that is damaged, older than this
 * version of it, or more than tables (guard.c), is set aside where it is to be written, and a new one begun;
 * where it is to be read, STAR_EWRONG. */
int star_wisdom_open(const char *path, enum star_wisdom_access access, struct star_wisdom **store,
                     struct star_why *why);
void star_wisdom_close(struct star_wisdom *store);
/* One line on a file that was set aside; "" otherwise. */
const char *star_wisdom_note(const struct star_wisdom *store);

/* Reads all of it: STAR_EWRONG says where it is damaged. */
int star_wisdom_examine(struct star_wisdom *store, struct star_why *why);
/* Whether a folder is its lock, as the file system has none. */
bool star_wisdom_is_unlockable(const struct star_wisdom *store);
/* Does not wait until the disk has what is written: a machine that crashes within seconds may cost the store,
 * which is then set aside as damaged. For what each run writes, and can learn again. */
int star_wisdom_hurry(struct star_wisdom *store, struct star_why *why);
/* Closes a damaged file, renames it, and opens a new one in its place. */
int star_wisdom_replace(struct star_wisdom *store, struct star_why *why);
