/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays to which one element after the other is added: their room doubles. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/* AT, which has COUNT elements of SIZE bytes, with room for one more; NULL without memory, AT is as it was
 * then. Room that was made in another way is not known here. */
static inline void *star_grown(void *at, size_t count, size_t size)
{
    enum { LEAST = 16 };
    bool has_room = count < LEAST ? count > 0 : (count & (count - 1)) != 0;
    return has_room ? at : realloc(at, (count ? 2 * count : LEAST) * size);
}
