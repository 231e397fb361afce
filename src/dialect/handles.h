/* SPDX-License-Identifier: BSD-3-Clause
 * Handles, as each mpi.h has them: numbers in MPICH's and its relatives', addresses in Open MPI's, SimGrid's
 * and the standard's. A wrong number is an error to the library; a wrong address may end the program, and
 * nothing can be found out of it. Known to the compiler, since every call asks. */
#pragma once

#include <stdint.h>

/* Is TYPE, such as MPI_Datatype, one whose handles are numbers? */
#define STAR_IS_NUMBER(type) _Generic((type)0, int : 1, default : 0)

/* A datatype or an operator of MPI's own, where handles are numbers: in the two highest bits. */
#define STAR_IS_BUILTIN(handle) ((uint32_t)(uintptr_t)(handle) >> 30 == 1)

/* Of a library whose version says nothing that is known. */
#define STAR_DIALECT_UNKNOWN(type) (STAR_IS_NUMBER(type) ? &star_mpich : &star_standard)
