/* SPDX-License-Identifier: BSD-3-Clause
 * The choice between the functions of a function-set: a tuner whose agreements travel on a private
 * communicator, what is remembered for the report, and what it asks earlier runs and tells later ones.
 * Requests that are alike share one (sharing.c). Ranks stay in step because each counts the same runs. */
#pragma once

#include "functions/history.h"
#include "functions/object.h"
#include "subject/subject.h"
#include "wisdom/fact.h"

#include <mpi.h>

/* A private communicator, which is freed when nobody uses it any more. */
struct star_private {
    struct star_object object;
    MPI_Comm comm; /* or MPI_COMM_NULL */
};

struct star_choice {
    struct star_object object;
    struct star_private *private;
    int rank, size;
    struct star_subject subject; /* its alternatives are the functions of FNCTSET */
    int16_t *taking_part;        /* the function that each of the tuner's candidates is */
    int foretold; /* on rank 0: this function is the best, as earlier runs have told; −1: none */
    /* Of sharing.c. */
    uint64_t likeness; /* of the requests that use it; on this rank alone */
    MPI_Comm comm;     /* of their topologies */
    int64_t id;        /* the same on all its ranks, and no other choice's */
    struct star_fnctset *fnctset;
    int64_t bytes;                     /* that a run sends from this rank */
    char problem[STAR_FACT_OPERATION]; /* what it is about, or nothing */
    int requests;                      /* that have used it */
    bool timer;                        /* they have one */
    bool plain;                        /* measured is the request's own time, */
    bool overlapped;                   /* in which the program has computed too */
    struct star_choice *next, *previous;
};

/* What makes function FUNCTION of WHAT ready; STAR_SUCCESS or a code, the same on all ranks. */
typedef int star_preparer(void *what, int function);

/* GROUPS[i] is the group of function i, TRAITS their values of attributes; FORCED: this function always,
 * unless it is −1. NULL when out of memory. Local. */
struct star_choice *star_choice_make(struct star_private *private, const struct star_subject_kind *kind,
                                     const int *groups, const struct star_traits *traits, int count,
                                     int forced, void (*destroy)(struct star_object *object));
/* Frees what it holds: the last thing that DESTROY does. */
void star_choice_empty(struct star_choice *choice);
/* Before the first run: only the functions in LIST, of which the first is 0, are left. */
bool star_choice_narrow(struct star_choice *choice, const int16_t *list, int count);

/* Makes it ready for WHAT, for which *READY is (−1: none). What cannot be prepared is left out.
 * STAR_SUCCESS, or the code of the last function that was left. Collective. */
int star_choice_settle(struct star_choice *choice, int *ready, star_preparer *prepare, void *what);
/* A run of FUNCTION took so long. Ranks agree where that is due: collective then. True: they did. */
bool star_choice_took(struct star_choice *choice, int function, int64_t nanoseconds);

/* The past, which functions/history.h tells of. Are there facts to ask for? The same on all ranks. */
bool star_choice_has_past(const struct star_choice *choice);
/* Before the first run: asks for them. WEIGH is called on rank 0 alone. Collective. */
void star_choice_recall(struct star_choice *choice, star_weigher *weigh, const void *context);
/* Has what was measured anything to say to later runs? */
bool star_choice_teaches(const struct star_choice *choice);
/* On rank 0: says it. Local; elsewhere it does nothing. */
void star_choice_keep(const struct star_choice *choice);
struct star_names star_choice_names(const struct star_choice *choice);
/* The nodes of its ranks; 0: they are not known. Local. */
int64_t star_choice_nodes(const struct star_choice *choice);
