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

/* Makes a layout for a buffer of ROOM packed bytes, gaps between blocks counted, or less. */
typedef void layout_maker(struct layout *layout, int64_t room);

layout_maker layout_byte, layout_byte_vector;
/* Of ints, 1 to 6 an element; 24 bytes are whole elements of each. */
layout_maker layout_int, layout_contiguous, layout_nested, layout_dup, layout_vector, layout_permuted,
    layout_descending, layout_lower_bound, layout_columns;
layout_maker layout_overlapping; /* to send only */
/* For operators. */
layout_maker layout_double, layout_two_ints, layout_four_ints;
/* Of three ints; and of two: elements that lie one inside of the other, or downwards. ROOM is exact. */
layout_maker layout_woven, layout_woven_backwards, layout_downwards;
layout_maker layout_woven_two, layout_skipping;
/* Of (double, int), 12 bytes. */
layout_maker layout_double_int, layout_padded_pair, layout_swapped_pair;
/* Of (char, int, short, double), 15 bytes. */
layout_maker layout_mixed, layout_mixed_spread;

/* Datatypes of equal signature for even and odd ranks, of which UNIT bytes are whole elements. */
struct kind {
    const char *name;
    layout_maker *send[2], *recv[2];
    int unit;
};
extern const struct kind kinds[];
extern const int kind_count;
const struct kind *kind_named(const char *name); /* or NULL */

void layout_free(struct layout *layout);
/* Makes the layout's type one that starts at BASE, for use with MPI_BOTTOM. */
void layout_make_absolute(struct layout *layout, void *base);

/* Where packed byte I of a buffer of such elements lies, from the buffer's address. */
int64_t layout_place(const struct layout *layout, int64_t i);
/* The bytes that ELEMENTS elements touch: from LOW up to but not HIGH. */
void layout_span(const struct layout *layout, int64_t elements, int64_t *low, int64_t *high);

#endif
