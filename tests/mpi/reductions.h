/* SPDX-License-Identifier: BSD-3-Clause
 * Operators of the tests' reductions, each with its datatype, its values, and what it makes of two elements:
 * so that every result is known without asking the MPI library. All are exact: the order of brackets is free.
 */
#ifndef TESTS_REDUCTIONS_H
#define TESTS_REDUCTIONS_H

#include "layouts.h"
#include "support/environment.h"

struct reduction {
    const char *name;
    layout_maker *layout[2]; /* of even and of odd ranks */
    bool commutative;
    MPI_Op predefined; /* where FUNCTION is NULL */
    MPI_User_function *function;
    /* An element, of packed bytes, from a number drawn at random. */
    void (*fill)(char *element, uint64_t drawn);
    /* RIGHT becomes LEFT op RIGHT; both are one element, packed. */
    void (*combine)(const char *left, char *right);
};
extern const struct reduction reductions[];
extern const int reduction_count;
const struct reduction *reduction_named(const char *name); /* or NULL */

/* How elements lie that the program's own operators are called with from now on. */
void reduction_lay(const struct reduction *reduction, const struct layout *layout);
/* What MPI knows the operator as; reduction_release when done. */
MPI_Op reduction_make(const struct reduction *reduction);
void reduction_release(const struct reduction *reduction, MPI_Op *op);
/* Of elements of the operator's datatype. */
int reduction_size(const struct reduction *reduction);
/* The floating-point environment that they must find; the default one, unless a test has another. */
extern struct environment reduction_environment;
/* How often the program's own operators were called with what MPI does not allow, since asked last. */
int reduction_abuses(void);

#endif
