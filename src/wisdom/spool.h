/* SPDX-License-Identifier: BSD-3-Clause
 * What runs have learned since a helper last wrote the store: messages (message.h), each a file, in a folder
 * beside it. A run writes one in a fraction of a millisecond, and the next run reads it there. When there are
 * some, a helper adds them to the store at once (store/fold.h), and so does `startune wisdom` before it
 * looks. Their names are in the store from then on, so that none is added twice, whoever is killed before it
 * is removed. */
#pragma once

#include "util/text.h"
#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From so many files on a run has them added; and it makes none where so many are, or of so many bytes. */
enum { STAR_SPOOL_MANY = 8, STAR_SPOOL_MOST = 64, STAR_SPOOL_BYTES_MOST = 1 << 18 };
enum { STAR_SPOOL_NAME = 48 };
struct star_spool {
    struct star_spool_file {
        char name[STAR_SPOOL_NAME];
        bool added; /* to the store: for who adds them */
    } * at;         /* the oldest first */
    size_t count;
};

/* False: out of memory. */
bool star_spool_list(const char *store, struct star_spool *spool);
void star_spool_free(struct star_spool *spool);
/* Appends the message; false: it is not there any more, or none of this user's. */
bool star_spool_read(const char *store, const char *name, struct star_text *message);
/* Adds a file and says how many there are now. STAR_ENEEDS: it is not to lie there, as others write the
 * store, or it is too long, or there are too many. STAR_ESYSTEM. */
int star_spool_put(const char *store, const struct star_text *message, size_t *count, struct star_why *why);
/* Removes a file, and what processes have left that were killed while they wrote. */
void star_spool_remove(const char *store, const char *name);
/* Adds to ANSWER, a message on MACHINE, what lies there of it and is not in it yet. */
void star_spool_add_to(const char *store, const char *machine, int64_t now, struct star_text *answer);
