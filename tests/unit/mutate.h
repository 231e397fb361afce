/* SPDX-License-Identifier: BSD-3-Clause
 * What the fuzz tests do to good input. */
#pragma once

#include "expect.h"

/* Changes TEXT in up to five places, by other bytes, cuts and PIECES of its language; returns its new length,
 * at most ROOM. */
static inline size_t mutate(uint64_t *seed, char *text, size_t length, size_t room, const char *const *pieces,
                            size_t count)
{
    for (uint64_t i = random_below(seed, 6); i > 0; i--) {
        size_t at = random_below(seed, length + 1), cut = random_below(seed, 4);
        const char *piece = pieces[random_below(seed, count)];
        size_t size = strlen(piece);
        switch (random_below(seed, 4)) {
        case 0:
            if (at < length)
                text[at] = (char)random_below(seed, 256);
            break;
        case 1:
            cut = cut < length - at ? cut : length - at;
            memmove(text + at, text + at + cut, length - at - cut);
            length -= cut;
            break;
        default:
            if (length + size > room)
                break;
            memmove(text + at + size, text + at, length - at);
            memcpy(text + at, piece, size);
            length += size;
        }
    }
    return length;
}
