/* SPDX-License-Identifier: BSD-3-Clause
 * Operators and datatypes of MPI's own. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/* Does MPI allow the operator for the datatype? All of the program's own are allowed. */
bool star_operator_suits(MPI_Op op, MPI_Datatype type);
/* "MPI_SUM", and its number in a list that is the same on all ranks; NULL and −1: the program's own. */
const char *star_operator_name(MPI_Op op, int *number);
/* The operator of such a number; MPI_OP_NULL: there is none. */
MPI_Op star_operator_at(int number);
/* What the elements of a type of MPI's own are. */
enum star_numbers {
    STAR_NUMBERS_EXACT,
    STAR_NUMBERS_FLOATING,
    STAR_NUMBERS_COMPLEX,
    STAR_NUMBERS_LOCATED, /* a floating-point number, and an int */
    STAR_NUMBERS_TWO,     /* two floating-point numbers */
    STAR_NUMBERS_BYTES,   /* two integers, characters, or what has no numbers */
    STAR_NUMBERS_OTHER
};
enum star_numbers star_numbers_of(MPI_Datatype type);
