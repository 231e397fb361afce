/* SPDX-License-Identifier: BSD-3-Clause
 * What the setting `verify` needs: copies of the program's buffers (shadow.c), and when two floating-point
 * results count as one (rounding.c). */
#ifndef STAR_RUNTIME_VERIFY_H
#define STAR_RUNTIME_VERIFY_H

#include "runtime/runtime.h"

/* The elements of a call that lie in a buffer of the program: the blocks of SIDE, or, where it has no counts,
 * ELEMENTS from its start on. */
struct star_area {
    struct star_side side;
    int64_t elements;
    int blocks; /* 0: none */
};
struct star_area star_area_of(const struct star_side *side, int64_t elements, int ranks);
int64_t star_area_bytes(const struct star_area *area);
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
/* Calls COMPARE for pieces of the packed elements of RESULT, in the copy and the program's. MPI error code.
 */
typedef void star_shadow_compare(const char *copy, const char *program, int64_t bytes, void *context);
int star_shadow_each(const struct star_shadow *shadow, const struct star_area *result,
                     star_shadow_compare *compare, void *context, MPI_Comm comm);

/* The numbers that an element's packed bytes are: runs of floating-point numbers, and of other bytes. */
struct star_numbers_run {
    int64_t count;
    int32_t width; /* bytes of each */
    bool floating;
};
enum { STAR_SIGNATURE_MOST = 256 };
struct star_signature {
    struct star_numbers_run run[STAR_SIGNATURE_MOST];
    int runs;
    int64_t bytes, numbers; /* of all runs; floating-point numbers */
};
/* The same for types of equal signature. False: it is not known, or of more runs. */
bool star_signature_of(MPI_Datatype type, struct star_signature *signature);

/* How results of a reduction are compared. */
enum star_comparison {
    STAR_BITWISE,
    STAR_WITHIN_BOUND, /* MPI's operators on floating-point numbers */
    STAR_BY_NUMBERS,   /* the program's operators */
    STAR_NOT_COMPARED
};
enum star_comparison star_comparison_of(const struct star_call *call);
/* What each of COUNT elements contributes to the bound, to be added up over all ranks. */
void star_rounding_weights(const struct star_call *call, const char *input, int64_t count, double *weights);
/* The first element in which RESULT is further from NATIVE than another order of the same operations on RANKS
 * ranks can bring it, or −1. */
int64_t star_rounding_compare(const struct star_call *call, const char *result, const char *native,
                              int64_t count, const double *weights, int ranks);

/* The same of the program's operators: of each floating-point number of packed elements, and what they are
 * added up to. EXACT: both were made by the same operations. */
void star_numbers_weights(const struct star_signature *signature, const char *input, int64_t elements,
                          double *weights);
/* The first element that differs, or −1. */
int64_t star_numbers_compare(const struct star_signature *signature, const char *result, const char *native,
                             int64_t elements, const double *weights, bool exact);

#endif
