/* SPDX-License-Identifier: BSD-3-Clause */
#include "layouts.h"

#include <string.h>

static void named(struct layout *layout, MPI_Datatype type)
{
    *layout = (struct layout){.type = type, .named = true};
}

/* The next LENGTH packed bytes lie at PLACE. */
static void run(struct layout *layout, int64_t place, int length)
{
    for (int i = 0; i < length; i++)
        layout->map[layout->size++] = place + i;
}

static void finish(struct layout *layout, int64_t extent)
{
    layout->extent = extent;
    if (!layout->named)
        PMPI_Type_commit(&layout->type);
}

/* Replaces the type by the same with another lower bound and extent. */
static void resize(struct layout *layout, MPI_Aint lower, MPI_Aint extent)
{
    MPI_Datatype inner = layout->type;
    PMPI_Type_create_resized(inner, lower, extent, &layout->type);
    PMPI_Type_free(&inner);
    finish(layout, extent);
}

void layout_byte(struct layout *layout, int64_t room)
{
    (void)room;
    named(layout, MPI_BYTE);
    run(layout, 0, 1);
    finish(layout, 1);
}

void layout_byte_vector(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_vector(2, 3, 5, MPI_BYTE, &layout->type);
    run(layout, 0, 3);
    run(layout, 5, 3);
    finish(layout, 8);
}

void layout_int(struct layout *layout, int64_t room)
{
    (void)room;
    named(layout, MPI_INT);
    run(layout, 0, 4);
    finish(layout, 4);
}

void layout_contiguous(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_contiguous(3, MPI_INT, &layout->type);
    run(layout, 0, 12);
    finish(layout, 12);
}

void layout_nested(struct layout *layout, int64_t room)
{
    (void)room;
    MPI_Datatype inner;
    *layout = (struct layout){0};
    PMPI_Type_contiguous(3, MPI_INT, &inner);
    PMPI_Type_contiguous(2, inner, &layout->type);
    PMPI_Type_free(&inner);
    run(layout, 0, 24);
    finish(layout, 24);
}

void layout_dup(struct layout *layout, int64_t room)
{
    struct layout inner;
    layout_contiguous(&inner, room);
    *layout = inner;
    PMPI_Type_dup(inner.type, &layout->type);
    layout_free(&inner);
}

void layout_vector(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_vector(3, 1, 2, MPI_INT, &layout->type);
    for (int i = 0; i < 3; i++)
        run(layout, 8 * i, 4);
    resize(layout, 0, 28); /* a gap between elements too */
}

/* Size and extent are equal, and yet the bytes are not in order. */
void layout_permuted(struct layout *layout, int64_t room)
{
    (void)room;
    int lengths[] = {1, 1}, places[] = {1, 0};
    *layout = (struct layout){0};
    PMPI_Type_indexed(2, lengths, places, MPI_INT, &layout->type);
    run(layout, 4, 4);
    run(layout, 0, 4);
    finish(layout, 8);
}

void layout_descending(struct layout *layout, int64_t room)
{
    (void)room;
    int lengths[] = {1, 2};
    MPI_Aint places[] = {12, 0};
    *layout = (struct layout){0};
    PMPI_Type_create_hindexed(2, lengths, places, MPI_INT, &layout->type);
    run(layout, 12, 4);
    run(layout, 0, 8);
    finish(layout, 16);
}

void layout_lower_bound(struct layout *layout, int64_t room)
{
    (void)room;
    int lengths[] = {1, 1};
    MPI_Aint places[] = {-8, 4};
    *layout = (struct layout){0};
    PMPI_Type_create_hindexed(2, lengths, places, MPI_INT, &layout->type);
    run(layout, -8, 4);
    run(layout, 4, 4);
    resize(layout, -12, 24);
}

/* Columns of a matrix of 6 rows: one element starts before the one before it has ended. */
void layout_columns(struct layout *layout, int64_t room)
{
    int columns = (int)(room / 24);
    *layout = (struct layout){0};
    PMPI_Type_vector(6, 1, columns ? columns : 1, MPI_INT, &layout->type);
    for (int i = 0; i < 6; i++)
        run(layout, (int64_t)4 * i * columns, 4);
    resize(layout, 0, 4);
}

/* Of a matrix of ROWS rows: an element is a column, and ends where the columns behind the last one would lie.
 * From the last to the first one, with STEP -1. */
static void weave(struct layout *layout, int rows, int step, int64_t room)
{
    int columns = (int)(room / (4 * rows));
    columns = columns > 0 ? columns : 1;
    *layout = (struct layout){0};
    PMPI_Type_vector(rows, 1, columns, MPI_INT, &layout->type);
    for (int i = 0; i < rows; i++)
        run(layout, (int64_t)4 * i * columns, 4);
    resize(layout, 0, 4 * step);
}

void layout_woven(struct layout *layout, int64_t room)
{
    weave(layout, 3, 1, room);
}

void layout_woven_backwards(struct layout *layout, int64_t room)
{
    weave(layout, 3, -1, room);
}

void layout_woven_two(struct layout *layout, int64_t room)
{
    weave(layout, 2, 1, room);
}

/* The same of every second number, from in front of the element on; with bounds that say nothing of that. */
void layout_skipping(struct layout *layout, int64_t room)
{
    int lengths[] = {1, 1};
    int64_t elements = room >= 8 ? room / 8 : 1;
    MPI_Aint places[] = {-8, (MPI_Aint)(8 * (elements - 1))};
    *layout = (struct layout){0};
    PMPI_Type_create_hindexed(2, lengths, places, MPI_INT, &layout->type);
    run(layout, places[0], 4);
    run(layout, places[1], 4);
    resize(layout, 400, 8);
}

/* One behind the other, downwards. */
void layout_downwards(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_vector(3, 1, 2, MPI_INT, &layout->type);
    for (int i = 0; i < 3; i++)
        run(layout, 8 * i, 4);
    resize(layout, 0, -24);
}

void layout_overlapping(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_contiguous(2, MPI_INT, &layout->type);
    run(layout, 0, 8);
    resize(layout, 0, 4);
}

void layout_two_ints(struct layout *layout, int64_t room)
{
    (void)room;
    named(layout, MPI_2INT);
    run(layout, 0, 8);
    finish(layout, 8);
}

void layout_double(struct layout *layout, int64_t room)
{
    (void)room;
    named(layout, MPI_DOUBLE);
    run(layout, 0, 8);
    finish(layout, 8);
}

void layout_four_ints(struct layout *layout, int64_t room)
{
    (void)room;
    *layout = (struct layout){0};
    PMPI_Type_contiguous(4, MPI_INT, &layout->type);
    run(layout, 0, 16);
    finish(layout, 16);
}

void layout_double_int(struct layout *layout, int64_t room)
{
    (void)room;
    named(layout, MPI_DOUBLE_INT);
    run(layout, 0, 12);
    finish(layout, 16);
}

static void pair(struct layout *layout, MPI_Aint number, MPI_Aint index, MPI_Aint extent)
{
    int lengths[] = {1, 1};
    MPI_Aint places[] = {number, index};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    *layout = (struct layout){0};
    PMPI_Type_create_struct(2, lengths, places, types, &layout->type);
    run(layout, number, 8);
    run(layout, index, 4);
    resize(layout, 0, extent);
}

void layout_padded_pair(struct layout *layout, int64_t room)
{
    (void)room;
    pair(layout, 0, 8, 24);
}

void layout_swapped_pair(struct layout *layout, int64_t room)
{
    (void)room;
    pair(layout, 8, 0, 16);
}

static void mixed(struct layout *layout, const MPI_Aint *places, MPI_Aint lower, MPI_Aint extent)
{
    static const int lengths[] = {1, 1, 1, 1}, sizes[] = {1, 4, 2, 8};
    MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_SHORT, MPI_DOUBLE};
    *layout = (struct layout){0};
    PMPI_Type_create_struct(4, lengths, places, types, &layout->type);
    for (int i = 0; i < 4; i++)
        run(layout, places[i], sizes[i]);
    resize(layout, lower, extent);
}

void layout_mixed(struct layout *layout, int64_t room)
{
    (void)room;
    mixed(layout, (const MPI_Aint[]){0, 4, 8, 16}, 0, 24);
}

void layout_mixed_spread(struct layout *layout, int64_t room)
{
    (void)room;
    mixed(layout, (const MPI_Aint[]){33, -16, 2, 16}, -16, 56);
}

void layout_free(struct layout *layout)
{
    if (!layout->named)
        PMPI_Type_free(&layout->type);
}

void layout_make_absolute(struct layout *layout, void *base)
{
    int one = 1;
    MPI_Aint address;
    MPI_Datatype made;
    PMPI_Get_address(base, &address);
    PMPI_Type_create_hindexed(1, &one, &address, layout->type, &made);
    PMPI_Type_commit(&made);
    layout_free(layout);
    layout->type = made;
    layout->named = false;
}

int64_t layout_place(const struct layout *layout, int64_t i)
{
    return i / layout->size * layout->extent + layout->map[i % layout->size];
}

void layout_span(const struct layout *layout, int64_t elements, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int i = 0; elements > 0 && i < layout->size; i++) {
        int64_t first = layout->map[i], last = first + (elements - 1) * layout->extent;
        int64_t least = first < last ? first : last, most = first < last ? last : first;
        if (i == 0)
            *low = *high = least;
        *low = least < *low ? least : *low;
        *high = most + 1 > *high ? most + 1 : *high;
    }
}

#define ALL(layout)                                                                                          \
    {                                                                                                        \
        layout, layout                                                                                       \
    }
const struct kind kinds[] = {
    {"bytes", ALL(layout_byte), ALL(layout_byte), 1},
    {"byte-vectors", {layout_byte, layout_byte_vector}, {layout_byte_vector, layout_byte}, 6},
    {"ints", ALL(layout_int), ALL(layout_int), 4},
    {"contiguous", {layout_contiguous, layout_int}, {layout_dup, layout_contiguous}, 24},
    {"nested", {layout_nested, layout_contiguous}, {layout_int, layout_nested}, 24},
    {"vectors", {layout_int, layout_vector}, {layout_vector, layout_vector}, 24},
    {"permuted", {layout_permuted, layout_int}, {layout_permuted, layout_permuted}, 24},
    {"descending", {layout_descending, layout_permuted}, {layout_int, layout_descending}, 48},
    {"lower-bounds", {layout_lower_bound, layout_int}, {layout_vector, layout_lower_bound}, 24},
    {"columns-to-rows", ALL(layout_columns), ALL(layout_int), 24},
    {"rows-to-columns", ALL(layout_nested), ALL(layout_columns), 24},
    {"overlapping", ALL(layout_overlapping), {layout_int, layout_vector}, 24},
    {"pairs", ALL(layout_double_int), ALL(layout_double_int), 12},
    {"different-pairs",
     {layout_double_int, layout_padded_pair},
     {layout_swapped_pair, layout_double_int},
     12},
    {"mixed", {layout_mixed, layout_mixed_spread}, {layout_mixed_spread, layout_mixed}, 15},
};
const int kind_count = sizeof kinds / sizeof *kinds;

const struct kind *kind_named(const char *name)
{
    for (int i = 0; i < kind_count; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}
