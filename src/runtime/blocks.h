/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of different lengths, one for each rank, as a rank shows them to all: their lengths come first. */
#ifndef STAR_RUNTIME_BLOCKS_H
#define STAR_RUNTIME_BLOCKS_H

#include "exec/side.h"

#include <stdbool.h>
#include <stdint.h>

/* Of RANKS blocks of SIDE, which COUNTS and DISPLS describe; LARGE as in struct star_call. */
struct star_blocks {
    int ranks;
    bool large;
    const void *counts, *displs;
    int64_t most; /* longer ones are not shown */
};

/* The bytes of COUNT elements of SIZE, where these are not more than anybody shows; else as many. */
int64_t star_blocks_length(int64_t count, int64_t size);
/* The bytes of all that are shown; and with their lengths. */
int64_t star_blocks_bytes(const struct star_blocks *blocks, int64_t size);
int64_t star_blocks_shown(int ranks, int64_t bytes);
/* Writes them TO where they are shown. MPI error code, raised nowhere. */
int star_blocks_write(const struct star_blocks *blocks, const struct star_side *side, char *to);
/* The block of RANK in what is SHOWN, and its *BYTES; 0, where it is not shown. */
const char *star_blocks_find(const char *shown, int ranks, int rank, int64_t *bytes);

#endif
