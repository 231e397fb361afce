/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for one task: taken array by array, and freed all at once. A want of memory sticks, so that one
 * check is enough after the last array. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct star_scratch {
    struct star_scratch_piece *last;
    bool failed;
};

/* COUNT elements of SIZE bytes, all zero; NULL without memory. COUNT may be 0. */
void *star_scratch(struct star_scratch *scratch, size_t count, size_t size);
/* Frees all of it. FAILED stays. */
void star_scratch_free(struct star_scratch *scratch);
