/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors. */
#ifndef STAR_PATTERNS_VECTOR_H
#define STAR_PATTERNS_VECTOR_H

#include "patterns/patterns.h"

/* Have they one datatype? What the program freed has a handle that another one may have got. */
static inline bool star_vector_is_of_same(const struct star_vector *a, const struct star_vector *b)
{
    return a->given == b->given && a->element_bytes == b->element_bytes;
}

/* The same for a vector; STAR_VECTOR_NULL is *FOUND NULL. */
int star_vector_of(STAR_Vector handle, struct star_vector **found, const char *call, const char *argument);
/* Makes one with a halo, of the program's memory or, OWNED, of startune's. */
int star_vector_with_halo(bool owned, int ndims, const int dims[], int values, int width,
                          MPI_Datatype datatype, void *data, STAR_Vector *vector, const char *call);

#endif
