/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/scratch.h"

#include <stdlib.h>

struct star_scratch_piece {
    struct star_scratch_piece *before;
    max_align_t memory[];
};

void *star_scratch(struct star_scratch *scratch, size_t count, size_t size)
{
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes) &&
                !__builtin_add_overflow(bytes, sizeof(struct star_scratch_piece), &bytes);
    struct star_scratch_piece *piece = fits ? calloc(1, bytes) : NULL;
    if (piece == NULL) {
        scratch->failed = true;
        return NULL;
    }
    piece->before = scratch->last;
    scratch->last = piece;
    return piece->memory;
}

void star_scratch_free(struct star_scratch *scratch)
{
    for (struct star_scratch_piece *piece = scratch->last, *before; piece != NULL; piece = before) {
        before = piece->before;
        free(piece);
    }
    scratch->last = NULL;
}
