/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays to which one element after the other is added: their room doubles. */
#ifndef STAR_UTIL_GROW_H
#define STAR_UTIL_GROW_H

#include <stdlib.h>

/* AT, which has COUNT elements of SIZE bytes, with room for one more; NULL without memory, AT is as it was
 * then. Room that was made in another way is not known here. */
static inline void *star_grown(void *at, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return at;
    return realloc(at, (count ? 2 * count : 1) * size);
}

#endif
