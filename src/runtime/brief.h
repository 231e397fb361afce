/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that may live shortly: of those that a program makes many of, nothing is kept at first but
 * how many calls have come. A state, which takes as long as several short calls, is made when they are enough
 * to tune one, or when something else needs it; it goes on with that number, so that all ranks count alike,
 * whenever each of them makes its own. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Calls that pass on one of many communicators before it is tuned. */
enum { STAR_BRIEF_CALLS = 100 };

/* Settings and what was read in the beginning stay as they are from now on. */
void star_briefs_begin(void);
/* COMM, which was just made, is one of many. False: there is no room, or it must have a state at once. */
bool star_brief_put(MPI_Comm comm);
bool star_is_brief(MPI_Comm comm);
/* A blocking call from SITE comes on COMM. True: it is native's. */
bool star_brief_passes(MPI_Comm comm, const void *site);
/* COMM is none any more. The calls that have come; -1: it was none. */
int64_t star_brief_take(MPI_Comm comm);
