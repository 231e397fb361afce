/* SPDX-License-Identifier: BSD-3-Clause
 * What a trial means for each rank: shared by those who make its memory (scene.c), who call (call.c) and who
 * know which trials there are (trial.c). */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "trial.h"

enum { GUARD = 96 }; /* bytes in front of a buffer and behind it */

enum family {
    EXCHANGE, /* every rank has a block for each */
    GATHER,   /* each has a block, and all ranks, or the root, get all of them */
    SCATTER,
    BCAST,
    VECTOR,   /* reduced, in whole */
    PORTIONS, /* reduced, each rank getting its block */
    BARRIER
};
bool trial_is(const struct trial *trial, enum family family);
bool trial_is_reduction(const struct trial *trial);
bool trial_has_counts(const struct trial *trial);
bool trial_is_rooted(const struct trial *trial);
/* Has this rank what only the root has, where there is one? */
bool trial_is_root(const struct trial *trial, int rank);
bool trial_says_in_place(const struct trial *trial, int rank);
/* Of these the standard does not say that all ranks must be in place, or says that they need not (MPI-4.0,
 * 6.10.2, 6.11). */
bool trial_may_differ_in_place(const struct trial *trial);
/* The datatype reads some bytes twice. */
bool trial_is_overlapping(const struct trial *trial);

/* Bytes of the block that FROM has for TO; where the counts are those of ranks, TO is 0. */
int64_t trial_block_bytes(const struct trial *trial, int from, int to);
/* Of the whole vector of a reduction, or of its blocks before that of RANK. */
int64_t trial_bytes_before(const struct trial *trial, int rank);
int64_t trial_vector_bytes(const struct trial *trial, int size);

void ground_place(struct ground *ground, int placement);

static inline uint64_t mix(uint64_t x, int64_t y)
{
    x = (x ^ (uint64_t)y) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

#endif
