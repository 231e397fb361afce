/* SPDX-License-Identifier: BSD-3-Clause
 * Generalised requests: requests of the MPI library that are over when startune says so, so that a program
 * waits for them as for all others. What they stand for goes on whenever the MPI library makes progress, for
 * whomever it does; how it can be made to, its dialect says. */
#pragma once

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

struct star_general {
    MPI_Request request;
    atomic_bool over;
    int error;                                 /* which whoever waits for the request is told */
    void (*forget)(struct star_general *self); /* the program has been told that it is over */
};

/* POLL moves all that is open, and says how much has ended. It is called in MPI calls of the program only.
 * Two different ones may be given, each as often as one likes. False: this MPI library cannot be made to.
 * COMM: where messages may be looked for. CROWDED: not each rank has a processor. THREADS: several may be in
 * the library at once. */
bool star_general_begin(int (*poll)(void), MPI_Comm comm, bool crowded, bool threads);
/* While something is held, POLL, one of those, is called whenever the library makes progress. False: this MPI
 * library calls it only where somebody waits for a request. */
bool star_general_hook(int (*poll)(void));
/* So many calls are to go on even while nobody waits for them; MORE, or less. */
extern atomic_int star_general_held;
void star_general_hold(int more);
/* MPI ends here; where it begins again, so must this. */
void star_general_leave(void);
/* MPI error codes, raised nowhere. */
int star_general_start(struct star_general *self);
int star_general_end(struct star_general *self, int error);
