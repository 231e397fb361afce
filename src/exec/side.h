/* SPDX-License-Identifier: BSD-3-Clause
 * Sides: a program's buffers and temporaries, as plans see them. */
#pragma once

#include "plan/plan.h"

#include <limits.h>
#include <mpi.h>

/* A program's buffer, seen as the packed bytes of its datatype's signature. */
struct star_side {
    void *base;
    MPI_Datatype type;
    int64_t size, extent; /* of one element */
    bool dense;           /* the packed bytes are the bytes in memory */
    bool named;           /* one of MPI's own types, which never change */
    /* Of plans in units: block k has COUNTS[k] × SCALE elements, and lies at DISPLS[k] × SCALE or, where
     * there are none, behind the blocks before it. No COUNTS: there is one block, of COUNT elements. */
    const void *counts, *displs; /* int, or, WIDE, MPI_Count and MPI_Aint (MPI-4's large counts) */
    const MPI_Datatype *types; /* block k is of TYPES[k], and lies DISPLS[k] bytes from BASE; NULL: of TYPE */
    bool wide;
    int64_t count, scale;
    /* Of temporaries, where elements interleave: so many bytes more lie behind every CELL elements, in units
     * behind each block. Negative where elements go downwards; 0: all lie as one array. */
    int64_t gap, cell;
};

static inline void *star_shifted(const void *base, int64_t bytes)
{
    /* The base may be MPI_BOTTOM: no pointer arithmetic. */
    return (void *)((uintptr_t)base + (uintptr_t)bytes);
}

/* With MPI_BOTTOM and absolute addresses in the datatype a block may lie at MPI_BOTTOM itself, which MPICH
 * takes for a mistake in MPI_Pack, or some bytes behind it: there the standard ABI has MPI_IN_PLACE,
 * MPI_BUFFER_AUTOMATIC and their like, and libraries take the one for the other. */
static inline bool star_is_sentinel(const void *at)
{
    return (uintptr_t)at < 16;
}

/* Then the same bytes are seen from here, by a datatype of star_type_from_afar. */
enum { STAR_AFAR = 4096 };
static inline void *star_afar(const void *at)
{
    return star_shifted(at, STAR_AFAR);
}

/* Where ELEMENT lies, in bytes from the buffer's base; not in units. */
static inline int64_t star_side_place(const struct star_side *side, int64_t element)
{
    if (side->gap == 0)
        return element * side->extent;
    return side->cell == 1 ? element * (side->extent + side->gap)
                           : element * side->extent + element / side->cell * side->gap;
}

/* So many elements from ELEMENT on, MOST at most, lie as an array; not in units. */
static inline int64_t star_side_run(const struct star_side *side, int64_t element, int64_t most)
{
    int64_t left = side->gap != 0 ? side->cell - element % side->cell : most;
    return left < most ? left : most;
}

/* All return an MPI error code, raised nowhere. */

/* How TYPE was made, as MPI_Type_get_envelope says. */
int star_combiner_of(MPI_Datatype type, int *combiner);
/* What MPI_Type_get_contents has told of: MPI's own types are lent, others are to be freed. */
void star_inner_free(MPI_Datatype *inner);
/* KEPT is laid out as TYPE, which the program may free now. MPI_Type_dup would call the copy functions of its
 * attributes; and then their delete functions, for values that the program sees once. */
int star_type_keep(MPI_Datatype type, MPI_Datatype *kept);
/* COUNT elements of TYPE as one of FOUND, which is to be freed and is moved from star_afar. */
int star_type_from_afar(MPI_Datatype type, int count, MPI_Datatype *found);
/* Makes SIDE that of BASE and TYPE. It holds zeros or the side of an earlier call: a named type is not looked
 * at again. */
int star_side_renew(struct star_side *side, void *base, MPI_Datatype type);
/* Of a side with types of its own for each block: makes BLOCK, which holds zeros or another block of SIDE,
 * that of its COUNT elements of block K. Without elements, or where those have no bytes, COUNT is 0 and
 * nothing else is known. */
int star_side_block(const struct star_side *side, int64_t k, struct star_side *block, int64_t *count);
/* A side of plain packed bytes. */
struct star_side star_side_packed(void *base);
/* Where an element lies, in bytes from its address on. FIRST…END is what its datatype moves. If that lies
 * within the datatype's bounds, LOWER…UPPER are these, since operators may copy whole structs. */
struct star_reach {
    int64_t first, end, lower, upper;
};
int star_side_reach(const struct star_side *side, struct star_reach *reach);
/* The same side from ELEMENTS elements on. */
struct star_side star_side_shifted(const struct star_side *side, int64_t elements);
/* Can it be packed? Before MPI-4 an int must count the bytes of an element. */
static inline bool star_side_packs(const struct star_side *side)
{
    return MPI_VERSION >= 4 || side->size <= INT_MAX;
}
/* Copies LENGTH packed bytes between sides that do not overlap, one of which is dense at least, and the other
 * dense or one that can be packed: else MPI_ERR_INTERN. */
int star_side_copy(struct star_side to, int64_t to_offset, struct star_side from, int64_t from_offset,
                   int64_t length, MPI_Comm comm);
static inline int64_t star_side_count(const struct star_side *side, int64_t k)
{
    if (side->counts == NULL)
        return k == 0 ? side->count * side->scale : 0;
    return (side->wide ? (int64_t)((const MPI_Count *)side->counts)[k] : ((const int *)side->counts)[k]) *
           side->scale;
}
