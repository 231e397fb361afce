/* SPDX-License-Identifier: BSD-3-Clause
 * The beginning and the end. Collective over the world but where it says otherwise. */
#pragma once

#include "util/why.h"

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>

/* Of the setting `force` leaves in OTHERS, of ROOM bytes, the words that are methods of MPI's operations; the
 * others it knows: see functions/forced.h. 0, or an error with the reason. */
typedef int star_force_split(const char *text, char *others, size_t room, struct star_why *why);

/* After MPI_Init and before MPI_Finalize. Collective over MPI_COMM_WORLD. */
void star_prepare(void); /* before MPI_Init; local */
void star_start(star_force_split *split);
void star_finish(void);
/* Has this process startune's environment, but where all ranks are known to have it off? Local. */
bool star_start_is_asked(void);
/* Without MPI_Init: have all ranks of this node startune? Local, but waits for them the first time; the same
 * on all of these ranks. */
bool star_start_is_possible(void);
/* Before ranks agree on COMM, in the function of MPI that the program calls, without star_all(): so that none
 * waits silently. Local. */
void star_start_watching(const char *function, MPI_Comm comm);
/* In the function of MPI that the program calls, once star_all() is known. */
void star_start_in_world(star_force_split *split, const char *function);
/* At the first call of STAR_X without startune's environment: with the preset settings, and no summary.
 * Local. False: calls are native's. */
bool star_start_by_name(void);
