/* SPDX-License-Identifier: BSD-3-Clause
 * When two floating-point results count as one. */
#pragma once

#include "runtime/call.h"
#include "runtime/signature.h"

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
