/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the program `background` share. */
#ifndef TESTS_BACKGROUND_H
#define TESTS_BACKGROUND_H

#include "work.h"

extern int rank, size;

/* A failure is told with the rank and WHAT, the first ten of a rank. */
void expect(bool right, const char *what, int which);
/* Begins a nonblocking collective of ints, their sum where it reduces. */
void begin(struct work *work, int which, MPI_Comm comm, int root, int units, uint64_t seed);
/* Looks at the result of a complete one; and the same after MPI_Wait. */
void check(struct work *work, const char *what);
void wait_and_check(struct work *work, const char *what);
void nap(int milliseconds);

/* Programs that must not hang. */
void sends_behind(void), crosswise(void), sits(void), overtakes(void), runs_ahead(void), early(void),
    sparse(void), drifts(void), runs_far(void), makes_behind(void), woven(void);
/* Requests, and what completes them. */
void again(void), again_alone(void), again_far(void), many(void), among_others(void), asked(void),
    statuses(void), in_threads(void);
/* Communicators. */
void orders(void), between(void), freed(void), small(void), made_meanwhile(void);
/* What is sent and received. */
void operators(void), layouts(void), lengths(void), released(void), attributed(void), reused(void);
/* Errors. */
void errors(void);

#endif
