/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of the program's buffers, for the setting `verify`. */
#pragma once

#include "exec/execute.h"

/* The elements of a call that lie in a buffer of the program: the blocks of SIDE, or, where it has no counts,
 * ELEMENTS from its start on. */
struct star_area {
    struct star_side side;
    int64_t elements;
    int blocks; /* 0: none */
};
struct star_area star_area_of(const struct star_side *side, int64_t elements, int ranks);
int64_t star_area_bytes(const struct star_area *area);
/* Block K, as a side from which on there are COUNT elements; those before it have BEHIND. */
struct star_side star_area_block(const struct star_area *area, int k, int64_t behind, int64_t *count);
/* Widens LOW…HIGH to all that the area covers; WHOLE: between its elements' bounds, too. False: a datatype or
 * a buffer that MPI refuses. */
bool star_area_span(const struct star_area *area, bool whole, int64_t *low, int64_t *high, MPI_Comm comm);
/* Its packed bytes; MPI error code, also for a datatype or a buffer that MPI refuses. */
int star_area_pack(const struct star_area *area, char *bytes, MPI_Comm comm);
/* Puts packed bytes back; MPI error code. */
int star_area_unpack(const struct star_area *area, char *bytes, MPI_Comm comm);
/* Calls VISIT for one piece of its packed bytes after the other, whole elements each; CONTEXT goes along. MPI
 * error code. */
typedef void star_area_visit(const char *packed, int64_t bytes, void *context);
int star_area_each(const struct star_area *area, star_area_visit *visit, void *context, MPI_Comm comm);
/* Are its packed bytes still BYTES? */
bool star_area_is(const struct star_area *area, const char *bytes, MPI_Comm comm);

/* A copy of a receive buffer with its gaps, between guard bytes. Only the program's elements are ever read:
 * what lies in the gaps may be another thread's, or no memory at all. */
struct star_shadow {
    char *memory, *copy;
    char *mask; /* of each byte: what it is */
    int64_t low, bytes;
};
/* RESULT is what the call writes, INPUT what it reads there (in place) beyond that; WHOLE: an operator of the
 * program may read and write all that lies between an element's bounds. False: not enough memory, of which
 * LIMIT bytes may be used, or a buffer that MPI refuses. */
bool star_shadow_open(struct star_shadow *shadow, const struct star_area *result,
                      const struct star_area *input, bool whole, int64_t limit, MPI_Comm comm);
void star_shadow_close(struct star_shadow *shadow);
/* What lies at ADDRESS of the program, in the copy. */
void *star_shadow_at(const struct star_shadow *shadow, const void *address);
/* False where the guard bytes or the gaps were written to: at byte *WHERE from the start of the buffer. */
bool star_shadow_is_sound(const struct star_shadow *shadow, int64_t *where);
/* False where the result is not the program's now, bit by bit. */
bool star_shadow_is_result(const struct star_shadow *shadow, int64_t *where);
/* Calls COMPARE for pieces of RESULT's packed elements, in the copy and the program's. MPI error code. */
typedef void star_shadow_compare(const char *copy, const char *program, int64_t bytes, void *context);
int star_shadow_each(const struct star_shadow *shadow, const struct star_area *result,
                     star_shadow_compare *compare, void *context, MPI_Comm comm);
