/* SPDX-License-Identifier: BSD-3-Clause
 * Answers of earlier questions, in a folder beside the store: a run that asks the same of the same stores
 * reads a small file, and starts no helper. An answer stands behind a head that says of which machine, of
 * which stores in which state, and of which day it is: facts fade. Only one with the very head that is
 * expected is read. It may be removed at any time. */
#pragma once

#include "util/text.h"

#include <stdbool.h>
#include <stdint.h>

/* So many machines have a file: of those that share one, the last. */
enum { STAR_CACHE_FILES = 16, STAR_CACHE_BYTES_MOST = 1 << 20 };

/* The stores that are asked: STORE may be "", SITE too, or NULL. */
struct star_cache_question {
    const char *store, *site, *machine;
    int64_t now;
};
/* *SOME: a store is there at all. False: the state of one cannot be told. */
bool star_cache_head(const struct star_cache_question *question, struct star_text *head, bool *some);
/* The answer that was kept beside the question's store under HEAD; false: there is none. */
bool star_cache_read(const struct star_cache_question *question, const struct star_text *head,
                     struct star_text *answer);
/* Keeps it, if it can. */
void star_cache_write(const struct star_cache_question *question, const struct star_text *head,
                      const struct star_text *answer);
