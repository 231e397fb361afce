/* SPDX-License-Identifier: BSD-3-Clause
 * Operators of the program, and the datatypes that these are told, of calls that are put off. The program may
 * free them as soon as a call has begun: they live on until the last such call has begun in the MPI library.
 */
#pragma once

#include "runtime/call.h"

#include <stdbool.h>

/* What a call borrows, whose members stand in a list. */
struct star_loan {
    MPI_Op op;
    MPI_Datatype type;
    bool ends_op, ends_type; /* the program has freed it */
    struct star_loan *before, *behind;
};

/* Does CALL need an operator of the program's? */
bool star_lent_is_needed(const struct star_call *call);
/* MPI error code, raised nowhere: then nothing is lent. */
int star_lent_begin(struct star_loan *loan, const struct star_call *call);
/* Frees what the program has freed, and no other loan needs. */
void star_lent_end(struct star_loan *loan);
/* The program frees OP, or TYPE. True: later. Any thread may call these. */
bool star_lent_keeps_op(MPI_Op op);
bool star_lent_keeps_type(MPI_Datatype type);
