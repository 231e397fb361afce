/* SPDX-License-Identifier: BSD-3-Clause
 * The choice of a request between its functions: a tuner whose agreements travel on the request's private
 * communicator, and what is remembered for the report. Ranks stay in step because each counts the same runs.
 */
#ifndef STAR_PATTERNS_CHOICE_H
#define STAR_PATTERNS_CHOICE_H

#include "tuner/tuner.h"

#include <mpi.h>

struct star_switch;

struct star_choice_tally {
    int64_t runs, nanoseconds; /* the counted ones of one function */
};

struct star_choice {
    MPI_Comm comm;
    int rank, size, count;
    struct star_tuner *tuner; /* NULL: the first function always */
    int16_t *taking_part;     /* the function that each of its candidates is */
    int candidates;
    int current;           /* the function that is ready; −1: none */
    int32_t untimed;       /* so many more runs before the next timed one */
    int64_t runs, skipped; /* all, and those that were not timed */
    int64_t nanoseconds;   /* of the timed ones */
    int64_t agreements, agreement_nanoseconds;
    int64_t tuning_runs, tuning_nanoseconds; /* while functions are compared */
    struct star_choice_tally *tally;
    struct star_switch *history; /* rank 0: the first STAR_HISTORY_MAX */
    int switches;
};

/* What makes function FUNCTION of WHAT ready; STAR_SUCCESS or a code, the same on all ranks. */
typedef int star_preparer(void *what, int function);

/* GROUPS[i] is the group of function i, TRAITS their values of attributes. False when out of memory. Local.
 */
bool star_choice_make(struct star_choice *choice, MPI_Comm comm, const int *groups,
                      const struct star_traits *traits, int count);
void star_choice_free(struct star_choice *choice);
/* Before the first run: only the functions in LIST, of which the first is 0, are left. */
bool star_choice_narrow(struct star_choice *choice, const int16_t *list, int count);

/* The function to run now. */
int star_choice_now(const struct star_choice *choice);
/* Makes it ready where it is not yet. What cannot be prepared is left out. STAR_SUCCESS, or the code of the
 * last function that was left. Collective. */
int star_choice_settle(struct star_choice *choice, star_preparer *prepare, void *what);
/* A run that is not timed begins: true, and counted. */
bool star_choice_skips(struct star_choice *choice);
/* A run took so long. Ranks agree where that is due: collective then. True: they did. */
bool star_choice_took(struct star_choice *choice, int64_t nanoseconds);
/* Are functions being compared? */
bool star_choice_is_open(const struct star_choice *choice);
/* Of a function, as the tuner has them of its candidate: on rank 0 alone. */
const double *star_choice_samples(const struct star_choice *choice, int function, int *count);
double star_choice_estimate(const struct star_choice *choice, int function);
bool star_choice_is_left_out(const struct star_choice *choice, int function);

#endif
