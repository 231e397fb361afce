/* SPDX-License-Identifier: BSD-3-Clause
 * The matrix: bytes and messages from each rank to each other, as lists of partners. */
#pragma once

#include "util/why.h"

#include <stddef.h>

/* A partner of a rank, and what goes to it and comes from it. */
struct star_pair {
    int peer;
    double out, in, messages_out, messages_in;
};

struct star_matrix {
    int ranks;
    size_t *first; /* of each rank, its first partner; of rank RANKS, how many there are in all */
    struct star_pair *pair;
};

struct star_matrix_entry {
    int from, to;
    double bytes, messages;
};

/* Of COUNT entries in any order; several of one pair are added up, and what ranks send to themselves is left
 * out. STAR_EMEMORY. */
int star_matrix_make(int ranks, const struct star_matrix_entry *entries, size_t count,
                     struct star_matrix **matrix, struct star_why *why);
void star_matrix_free(struct star_matrix *matrix);
/* Bytes that leave a machine, where MACHINE has each rank's. */
double star_matrix_between(const struct star_matrix *matrix, const int *machine);
