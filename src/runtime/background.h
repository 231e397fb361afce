/* SPDX-License-Identifier: BSD-3-Clause
 * Nonblocking calls that startune's methods may run in the background: long ones, and those of several nodes.
 * Which method runs is decided by turns (tuner/turns.h): nobody waits to agree. A rank that comes to a call
 * before it knows what all have told puts that off, and all further collectives of the communicator behind
 * it, until it does: so they begin in the same order on all ranks. */
#pragma once

#include "exec/run.h"
#include "runtime/call.h"
#include "runtime/samples.h"
#include "runtime/state.h"
#include "subject/balance.h"
#include "tuner/turns.h"
#include "util/text.h"

/* What is tuned. */
struct star_background_context {
    enum star_operation operation;
    struct star_facts facts;
    int64_t calls; /* that have come */
    int64_t ended; /* the last one that ended a stretch */
    int64_t began; /* the first one's time */
    int listed;    /* rank 0: so many of ORDER are to be told */
    int64_t order[STAR_TURNS_MOST];
    struct star_turns turns;
    struct star_turns_word mine, sums;   /* told, and what comes out: */
    MPI_Request telling;                 /* MPI_REQUEST_NULL: nothing is under way; */
    bool told;                           /* it has come out */
    bool owes;                           /* it is to be told, and could not */
    struct star_background_tuned *tuned; /* NULL: not yet, or no memory */
    struct star_background_context *next;
};
struct star_background_tuned {
    struct star_methods found; /* all, until it is told which ones are looked at: */
    int count;
    struct star_method methods[STAR_TURNS_MOST];
    struct star_sampled sampled[STAR_TURNS_MOST];
    int64_t ran[STAR_TURNS_MOST]; /* so many calls */
    struct star_shared_runner *runners[STAR_TURNS_MOST][STAR_LANES];
};

struct star_errand; /* errand.h */
/* Of a communicator. */
struct star_background {
    struct star_communicator *state; /* NULL: it is no more */
    MPI_Comm comm;
    int size, rank;
    struct star_route route;                  /* the first lane's */
    int *ranks;                               /* its, owned; */
    bool opened, able;                        /* this rank has looked whether it has what it needs; it has */
    struct star_background_context *contexts; /* the last one made; */
    int count;                                /* so many */
    struct star_errand *first, *last;         /* put off, in order: nobody knows what runs them; */
    struct star_errand *ready, *ready_last;   /* plans that wait for a lane, in order */
    struct star_errand *lanes[STAR_LANES];    /* plans under way */
    int64_t plans;                            /* have begun, in all */
    struct star_errand *natives;              /* put off, and under way now */
    MPI_Request anchor;                       /* keeps the communicator that the program has freed */
    struct star_background *before, *behind;  /* of all of this process */
};

/* What runs call NUMBER of the context, whose stretch it may end. STAR_TURN_NONE: nobody knows before
 * what the ranks have told has come out. TIMED: it is. */
int star_background_candidate(struct star_background *of, struct star_background_context *context,
                              int64_t number, bool *timed);
/* What runs a candidate other than native, in a lane; NULL: not now, as others run. */
struct star_runner *star_background_runner(const struct star_background *of,
                                           struct star_background_context *context, int candidate, int lane);
/* Is nothing told that has not come out? */
bool star_background_is_silent(struct star_background_context *context);
/* The program may free the communicator: it lives on while there is a request for it. */
void star_background_keep(struct star_background *of);
/* Gives back what it has. */
void star_background_end_context(const struct star_background *of, struct star_background_context *context);

/* What calls have saved on this rank. */
struct star_balance star_background_balance(const struct star_communicator *state);
/* What a report says of it: JSON objects, each behind a comma. */
void star_background_tell(const struct star_communicator *state, struct star_text *text);
