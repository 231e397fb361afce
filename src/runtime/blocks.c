/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks.h"
#include "exec/execute.h"
#include "runtime/operations.h"
#include "runtime/session.h"

#include <string.h>

/* Nobody shows as much, nor elements of as many bytes. */
enum { MOST = 1 << 20 };

int64_t star_blocks_length(int64_t count, int64_t size)
{
    bool much = count > MOST || size > MOST || count * size > MOST;
    return much ? MOST : count * size;
}

static int64_t length_of(const struct star_blocks *blocks, int rank, int64_t size)
{
    return star_blocks_length(star_count_at(blocks->large, blocks->counts, rank), size);
}

static int64_t shown_of(const struct star_blocks *blocks, int rank, int64_t size)
{
    int64_t length = length_of(blocks, rank, size);
    return length <= blocks->most ? length : 0;
}

int64_t star_blocks_bytes(const struct star_blocks *blocks, int64_t size)
{
    int64_t bytes = 0; /* no sum of lengths overflows */
    for (int r = 0; r < blocks->ranks; r++)
        bytes += shown_of(blocks, r, size);
    return bytes;
}

int64_t star_blocks_shown(int ranks, int64_t bytes)
{
    return (int64_t)sizeof(int32_t) * ranks + bytes;
}

int star_blocks_write(const struct star_blocks *blocks, const struct star_side *side, char *to)
{
    char *block = to + star_blocks_shown(blocks->ranks, 0);
    int error = MPI_SUCCESS;
    for (int r = 0; r < blocks->ranks && error == MPI_SUCCESS; r++) {
        int32_t bytes = (int32_t)shown_of(blocks, r, side->size);
        memcpy(to + sizeof bytes * (size_t)r, &bytes, sizeof bytes);
        if (bytes == 0)
            continue;
        struct star_side from = star_side_shifted(side, star_displ_at(blocks->large, blocks->displs, r));
        error = star_side_copy(star_side_packed(block), 0, from, 0, bytes, star_alone());
        block += bytes;
    }
    return error;
}

const char *star_blocks_find(const char *shown, int ranks, int rank, int64_t *bytes)
{
    const char *block = shown + star_blocks_shown(ranks, 0);
    int32_t length = 0;
    for (int r = 0; r <= rank; r++) {
        block += length;
        memcpy(&length, shown + sizeof length * (size_t)r, sizeof length);
    }
    *bytes = length;
    return block;
}
