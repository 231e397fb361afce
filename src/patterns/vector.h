/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors. */
#pragma once

#include "startune_patterns.h"

struct star_vector;

/* The vector of a handle; STAR_VECTOR_NULL is *FOUND NULL. STAR_SUCCESS, or refused. */
int star_vector_of(STAR_Vector handle, struct star_vector **found, const char *call, const char *argument);
/* STAR_Vector_register_generic of an array in Fortran's order: its first dimension is the contiguous one, and
 * of several values of a point each is an array. A map `inplace` says it all: DATA is not looked at. */
int star_vector_register_fortran(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                 MPI_Datatype datatype, void *data, STAR_Vector *vector);
