/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that processes of one node share, and that has no name: nothing of it stays when they are killed.
 * One process makes it and tells the others a key, by which they find it. Its first line is kept for that. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What the others are told. */
struct star_nameless_key {
    int64_t process, token;
    uint64_t space; /* of process numbers */
    int32_t file, made;
};
enum { STAR_NAMELESS_LINE = 64 };

/* BYTES of zeros. NULL: they cannot be had, and so says the key. FILE stays open for the others until it is
 * closed; negative: there is none. */
char *star_nameless_make(size_t bytes, struct star_nameless_key *key, int *file);
/* The same in another process; NULL: not there, or not in this one. */
char *star_nameless_open(size_t bytes, const struct star_nameless_key *key);
/* The others keep theirs. */
void star_nameless_free(char *memory, size_t bytes);
