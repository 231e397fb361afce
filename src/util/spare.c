/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/spare.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *star_spare_take(const struct star_spares *spares)
{
    for (int i = 0; i < spares->count; i++)
        if (!atomic_exchange(&spares->taken[i], true))
            return memset((char *)spares->objects + (size_t)i * spares->size, 0, spares->size);
    return NULL;
}

void *star_spare_new(const struct star_spares *spares)
{
    void *object = calloc(1, spares->size);
    return object != NULL ? object : star_spare_take(spares);
}

void star_spare_free(const struct star_spares *spares, void *object)
{
    uintptr_t place = (uintptr_t)object - (uintptr_t)spares->objects; /* in front of them: a huge one */
    if (place < spares->size * (size_t)spares->count)
        atomic_store(&spares->taken[place / spares->size], false);
    else
        free(object);
}
