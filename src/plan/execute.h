/* SPDX-License-Identifier: BSD-3-Clause
 * Runs plans: the only place that moves a program's messages. */
#ifndef STAR_PLAN_EXECUTE_H
#define STAR_PLAN_EXECUTE_H

#include "plan/plan.h"

#include <mpi.h>

/* A program's buffer, seen as the packed bytes of its datatype's signature. */
struct star_side {
    void *base;
    MPI_Datatype type;
    int64_t size, extent; /* of one element */
    bool dense;           /* the packed bytes are the bytes in memory */
    bool named;           /* one of MPI's own types, which never change */
};

/* All return an MPI error code, raised nowhere. */
int star_side_of(struct star_side *side, void *base, MPI_Datatype type);
/* The same where SIDE holds zeros or the side of an earlier call: a named type is not looked at again. */
int star_side_renew(struct star_side *side, void *base, MPI_Datatype type);
/* What MPI refuses in a buffer or a datatype, also where only packing would meet it: a null buffer, a type
 * that was not committed. */
int star_side_check(const struct star_side *side, MPI_Comm comm);
/* A side of plain packed bytes. */
struct star_side star_side_packed(void *base);
/* Copies LENGTH packed bytes between sides that do not overlap, one of which is dense at least. */
int star_side_copy(struct star_side to, int64_t to_offset, struct star_side from, int64_t from_offset,
                   int64_t length, MPI_Comm comm);

/* Where a step's message lies for datatypes of a given layout: from the buffer's base, in elements or, where
 * it ends inside of one, in packed bytes. */
struct star_spot {
    int64_t from_base, count;
    bool packed;
};

/* What spots depend on. */
struct star_layout {
    int64_t size[STAR_TEMP], extent[STAR_TEMP];
    bool dense[STAR_TEMP];
};

/* A plan with all that it needs to run, so that running allocates nothing. */
struct star_runner {
    struct star_plan *plan; /* owned */
    char *temp;
    MPI_Request *requests;
    MPI_Status *statuses;
    struct star_spot *spots; /* of each step, for LAYOUT: the last call's */
    struct star_layout layout;
    int64_t recv_bytes; /* of the receive buffer that the plan fills, from its start */
    char *staged;       /* as many, where messages cannot be received in the program's datatype */
};

/* Takes the plan, also when it fails: NULL when out of memory. */
struct star_runner *star_runner_new(struct star_plan *plan);
void star_runner_free(struct star_runner *runner);
size_t star_runner_bytes(const struct star_runner *runner);

/* Collective over COMM, whose error handler must be MPI_ERRORS_RETURN, and which carries nothing else. */
int star_execute(struct star_runner *runner, struct star_side send, struct star_side recv, MPI_Comm comm);

#endif
