/* SPDX-License-Identifier: BSD-3-Clause
 * Errands: nonblocking calls of the program that startune ends: run by a plan in the background, or put off,
 * and then the MPI library's. */
#pragma once

#include "exec/execute.h"
#include "exec/general.h"
#include "runtime/blocks.h"
#include "runtime/call.h"
#include "runtime/lent.h"

struct star_background_context; /* background.h */

struct star_errand {
    struct star_general general; /* the first member */
    struct star_call call;       /* its datatypes are kept until it is over */
    struct star_buffers buffers; /* the program's */
    MPI_Datatype kept[2];
    struct star_kept_types kept_types[2];
    struct star_loan loan;
    bool borrows; /* LOAN, until it begins; */
    bool idles;   /* nothing is to be run, as something is wrong, and the program has no request */
    struct star_background_context *context; /* that it belongs to; NULL: none */
    int64_t number;                          /* of it there */
    int candidate;                           /* of it: it is known to run */
    int lane;                                /* while a plan runs; else none */
    struct star_run run;
    MPI_Request native; /* under way */
    struct star_errand *next;
};

/* As the operation of a call: MPI_Comm_idup of COMM, into *RECVBUF, with INFO, if that is not none. */
enum { STAR_ERRAND_IDUP = STAR_OPERATIONS };
/* Makes one of a call, with its request, which the program gets. FACTS: NULL: no plan is to run. Returns an
 * MPI error code: then it idles, so that what follows from it comes in the same order as on other ranks; or
 * *MADE is NULL, where there is no memory left at all. */
int star_errand_new(const struct star_call *call, int size, int rank, const struct star_facts *facts,
                    struct star_errand **made);
/* Both return an MPI error code, and *DONE: it is to be ended. */
int star_errand_begin(struct star_errand *errand, struct star_runner *runner, const struct star_route *route,
                      bool *done);
int star_errand_begin_natively(struct star_errand *errand, bool *done);
int star_errand_go_on(struct star_errand *errand, bool *done);
/* The program's request is over, and the errand is gone. */
void star_errand_end(struct star_errand *errand, int error);
