/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks.h"
#include "exec/execute.h"
#include "runtime/operations.h"
#include "runtime/session.h"

#include <stdlib.h>
#include <string.h>

/* Nobody shows as much, nor elements of as many bytes. */
enum { MOST = 1 << 20 };

int64_t star_blocks_length(int64_t count, int64_t size)
{
    bool much = count > MOST || size > MOST || count * size > MOST;
    return much ? MOST : count * size;
}

int64_t star_blocks_length_of(const struct star_blocks *blocks, int rank, int64_t size)
{
    int64_t count = star_count_at(blocks->large, blocks->counts, rank);
    MPI_Count bytes = size;
    if (count == 0 || (blocks->types != NULL && PMPI_Type_size_x(blocks->types[rank], &bytes) != MPI_SUCCESS))
        return 0;
    return star_blocks_length(count, bytes);
}

static int64_t shown_of(const struct star_blocks *blocks, int rank, int64_t size)
{
    int64_t length = star_blocks_length_of(blocks, rank, size);
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

int star_blocks_side(const struct star_blocks *blocks, const struct star_side *side, int rank,
                     struct star_side *block)
{
    int64_t count;
    if (blocks->types != NULL) {
        struct star_side typed = *side;
        typed.counts = blocks->counts;
        typed.displs = blocks->displs;
        typed.types = blocks->types;
        typed.wide = blocks->large;
        return star_side_block(&typed, rank, block, &count);
    }
    *block = star_side_shifted(side, star_displ_at(blocks->large, blocks->displs, rank));
    return MPI_SUCCESS;
}

/* Of blocks without elements there may be no type at all. */
static bool is_kept(const struct star_blocks *blocks, int rank)
{
    int combiner;
    return star_count_at(blocks->large, blocks->counts, rank) > 0 &&
           (star_combiner_of(blocks->types[rank], &combiner) != MPI_SUCCESS ||
            combiner != MPI_COMBINER_NAMED);
}

int star_blocks_keep(struct star_blocks *blocks, bool array, struct star_kept_types *kept)
{
    size_t ranks = (size_t)blocks->ranks;
    int error = MPI_SUCCESS;
    *kept = (struct star_kept_types){.ranks = blocks->ranks};
    for (int r = 0; !array && r < blocks->ranks; r++)
        array = is_kept(blocks, r);
    if (!array)
        return MPI_SUCCESS;
    kept->all = malloc(2 * ranks * sizeof *kept->all);
    if (kept->all == NULL)
        return MPI_ERR_NO_MEM;
    memcpy(kept->all, blocks->types, ranks * sizeof *kept->all);
    for (int r = 0; r < blocks->ranks && error == MPI_SUCCESS; r++)
        if (is_kept(blocks, r)) {
            error = star_type_keep(blocks->types[r], &kept->all[r]);
            if (error == MPI_SUCCESS)
                kept->all[blocks->ranks + kept->own++] = kept->all[r];
        }
    blocks->types = kept->all;
    return error;
}

void star_kept_types_free(struct star_kept_types *kept)
{
    for (int i = 0; i < kept->own; i++)
        PMPI_Type_free(&kept->all[kept->ranks + i]);
    free(kept->all);
    *kept = (struct star_kept_types){0};
}

int star_blocks_write(const struct star_blocks *blocks, const struct star_side *side, char *to)
{
    char *block = to + star_blocks_shown(blocks->ranks, 0);
    struct star_side from = {0};
    int error = MPI_SUCCESS;
    for (int r = 0; r < blocks->ranks && error == MPI_SUCCESS; r++) {
        int32_t bytes = (int32_t)shown_of(blocks, r, side->size);
        memcpy(to + sizeof bytes * (size_t)r, &bytes, sizeof bytes);
        if (bytes == 0)
            continue;
        error = star_blocks_side(blocks, side, r, &from);
        if (error == MPI_SUCCESS)
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
