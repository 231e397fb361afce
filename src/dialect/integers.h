/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's handles as Fortran's integers: the standard's own mpi.h, which has nothing of Fortran, names these
 * functions otherwise. */
#ifndef STAR_DIALECT_INTEGERS_H
#define STAR_DIALECT_INTEGERS_H

#include <mpi.h>

#ifdef MPI_H_ABI
#define STAR_FROM_INT(type, number) PMPI_##type##_fromint(number)
#define STAR_TO_INT(type, handle)   PMPI_##type##_toint(handle)
#else
#define STAR_FROM_INT(type, number) PMPI_##type##_f2c(number)
#define STAR_TO_INT(type, handle)   PMPI_##type##_c2f(handle)
#endif

#endif
