/* SPDX-License-Identifier: BSD-3-Clause
 * Notices: nonblocking calls that go by a board (exec/board.h), from their beginning until all that they need
 * has been shown there. */
#pragma once

#include "exec/board.h"
#include "exec/general.h"
#include "exec/run.h"
#include "runtime/blocks.h"
#include "runtime/call.h"
#include "runtime/letters.h"
#include "runtime/state.h"

/* The calls of one communicator. */
struct star_notices {
    struct star_board *board;
    int size, rank;
    int64_t open; /* so many have begun and not ended */
    bool over;    /* no further one begins: the last one to end calls ENDED */
    void (*ended)(struct star_notices *notices);
};

struct star_notice {
    struct star_general general; /* the first member */
    struct star_notices *of;
    int64_t number;
    enum star_operation operation;
    int root, first, next, last; /* it needs what ranks FIRST to LAST − 1 show; those before NEXT have come */
    int64_t bytes, shown;        /* of a block; and what this rank shows, as all others do, */
    int64_t most;                /* the most that one of them shows; */
    int64_t at;                  /* where this rank's block lies in that */
    int64_t gives, gets;         /* is there anything that it gives, and gets? */
    int64_t limit;               /* longer blocks go by messages */
    const void *counts, *displs; /* but where these say how much each rank shows, and where it belongs, */
    const MPI_Datatype *types;   /* as in struct star_blocks; */
    struct star_blocks
        blocks; /* or it shows these, if there are any, and others know their lengths from there; */
    bool large; /* as in struct star_call */
    struct star_side send, recv;
    bool meets;       /* it ends when all ranks have begun it; what it has of the program stays until then */
    bool leaves_room; /* it ends when there is room for the next one */
    int failed;       /* what went wrong when it began */
    bool right;       /* the MPI library would find nothing wrong */
    MPI_Op op;
    struct star_elements elements; /* its one block */
    struct star_letters letters;   /* under way */
    bool in_place;
    MPI_Datatype kept;                 /* a type that the program may free before it ends */
    struct star_kept_types kept_types; /* of its blocks, likewise */
    struct star_notice *before, *behind;
};

/* Where several threads communicate at once, one at a time is in here, in begun.h and in samples.h. */
void star_notices_lock(void);
/* False: another thread is. */
bool star_notices_trylock(void);
void star_notices_unlock(void);

/* Begins what is described: shows what this rank gives. STATE may be NULL where it was agreed. MPI error
 * code, raised nowhere. */
int star_notice_begin(const struct star_notice *described, MPI_Comm comm,
                      const struct star_communicator *state, MPI_Request *request);
/* Or makes the call: waits for what it needs, and for nothing else. MPI error code, raised nowhere. Without
 * the lock, up to star_notice_left, with it. */
int star_notice_run(struct star_notice *notice, MPI_Comm comm);
void star_notice_left(const struct star_notice *notice);
/* In place of beginning it: the others learn that this rank shows nothing, as its call is wrong. */
void star_notice_refuse(const struct star_notices *of, int64_t number);
/* Ends all whose ranks have shown what they need; returns how many these were. Takes the lock, or leaves it
 * to the thread that has it. */
int star_notices_poll(void);
