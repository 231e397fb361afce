/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes of the tests, each with its type map written down by hand: so that what must arrive where is
 * known without asking the MPI library. */
#ifndef TESTS_LAYOUTS_H
#define TESTS_LAYOUTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { LAYOUT_SIZE_MAX = 64 };

struct layout {
    MPI_Datatype type;
    bool named; /* not ours to free */
    int size;   /* packed bytes of an element */
    int64_t extent;
    int64_t map[LAYOUT_SIZE_MAX]; /* where packed byte i of an element lies, from the element's place */
};

/* Makes a layout for RANKS blocks of BYTES packed bytes each. */
typedef void layout_maker(struct layout *layout, int ranks, int64_t bytes);

layout_maker layout_byte, layout_byte_vector;
/* Of ints, 1 to 6 an element; blocks are multiples of 24 bytes. */
layout_maker layout_int, layout_contiguous, layout_nested, layout_dup, layout_vector, layout_permuted,
    layout_descending, layout_lower_bound, layout_columns;
layout_maker layout_overlapping; /* to send only */
/* Of (double, int), 12 bytes. */
layout_maker layout_double_int, layout_padded_pair, layout_swapped_pair;
/* Of (char, int, short, double), 15 bytes. */
layout_maker layout_mixed, layout_mixed_spread;

void layout_free(struct layout *layout);
/* Makes the layout's type one that starts at BASE, for use with MPI_BOTTOM. */
void layout_make_absolute(struct layout *layout, void *base);

/* Where packed byte I of a buffer of such elements lies, from the buffer's address. */
int64_t layout_place(const struct layout *layout, int64_t i);
/* The bytes that ELEMENTS elements touch: from LOW up to but not HIGH. */
void layout_span(const struct layout *layout, int64_t elements, int64_t *low, int64_t *high);

#endif
