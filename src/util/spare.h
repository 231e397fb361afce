/* SPDX-License-Identifier: BSD-3-Clause
 * A few objects for when there is no memory. What all ranks begin together a rank without memory must begin,
 * too: the others would wait for it. They take no memory before they are used. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct star_spares {
    void *objects; /* COUNT of them, of SIZE bytes */
    atomic_bool *taken;
    size_t size;
    int count;
};

/* NAME: COUNT of TYPE, of one file. */
#define STAR_SPARES(type, name, count)                                                                       \
    static type name##_objects[count];                                                                       \
    static atomic_bool name##_taken[count];                                                                  \
    static const struct star_spares name = {name##_objects, name##_taken, sizeof(type), count}

/* One of them, with all bytes 0; NULL: all are taken. Any thread may call it. */
void *star_spare_take(const struct star_spares *spares);
/* The same, but only where the heap has none. */
void *star_spare_new(const struct star_spares *spares);
/* OBJECT is one of them, or of the heap. */
void star_spare_free(const struct star_spares *spares, void *object);
