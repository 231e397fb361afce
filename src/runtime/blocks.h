/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of different lengths, one for each rank, as a rank shows them to all: their lengths come first. */
#pragma once

#include "exec/side.h"

#include <stdbool.h>
#include <stdint.h>

/* Of RANKS blocks of SIDE, which COUNTS and DISPLS describe; LARGE as in struct star_call. */
struct star_blocks {
    int ranks;
    bool large;
    const void *counts, *displs;
    const MPI_Datatype *types; /* as in struct star_side */
    int64_t most;              /* longer ones are not shown */
};

/* The bytes of COUNT elements of SIZE, where these are not more than anybody shows; else as many. */
int64_t star_blocks_length(int64_t count, int64_t size);
/* The same of the block of RANK; SIZE is that of an element, where all are of one type. */
int64_t star_blocks_length_of(const struct star_blocks *blocks, int rank, int64_t size);
/* The bytes of all that are shown; and with their lengths. */
int64_t star_blocks_bytes(const struct star_blocks *blocks, int64_t size);
int64_t star_blocks_shown(int ranks, int64_t bytes);
/* Makes BLOCK that of RANK, where it has bytes; it holds zeros or another one of theirs. MPI error code,
 * raised nowhere. */
int star_blocks_side(const struct star_blocks *blocks, const struct star_side *side, int rank,
                     struct star_side *block);
/* Types of blocks that the program may free before they have moved. */
struct star_kept_types {
    MPI_Datatype *all; /* one for each rank, and behind them those OWN that are to be freed */
    int ranks, own;
};
/* Keeps those of BLOCKS, which refers to them then; ARRAY: the array is not to last either. MPI error code,
 * raised nowhere; KEPT is to be freed anyhow. */
int star_blocks_keep(struct star_blocks *blocks, bool array, struct star_kept_types *kept);
void star_kept_types_free(struct star_kept_types *kept);
/* Writes them TO where they are shown. MPI error code, raised nowhere. */
int star_blocks_write(const struct star_blocks *blocks, const struct star_side *side, char *to);
/* The block of RANK in what is SHOWN, and its *BYTES; 0, where it is not shown. */
const char *star_blocks_find(const char *shown, int ranks, int rank, int64_t *bytes);
