/* SPDX-License-Identifier: BSD-3-Clause
 * A communicator becomes tuned, or native for good. */
#pragma once

#include "runtime/state.h"

/* What this rank alone does before COMM can be tuned; it notes whether it was able to. Local. */
void star_communicator_open(struct star_communicator *state, MPI_Comm comm);
/* Frees what opening has taken. */
void star_communicator_close(struct star_communicator *state);
/* The program frees the communicator: so does this with its private one. Waits for nobody. */
void star_communicator_free_private(struct star_communicator *state);
/* Not all ranks are able. */
void star_communicator_stay_native(struct star_communicator *state);
/* Opens it, and asks whether all ranks could. Collective over COMM. False: the communicator stays native, or,
 * while a rank has switched tuning off, is tried again later. */
bool star_communicator_tune(struct star_communicator *state, MPI_Comm comm);
/* Has COMM a number? One whose making was not seen, and one of many, get theirs here. Collective over COMM,
 * and the same on all ranks. A rank without a state says so by one star_agree_most instead. */
bool star_communicator_numbered(struct star_communicator *state, MPI_Comm comm);
