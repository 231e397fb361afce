/* SPDX-License-Identifier: BSD-3-Clause
 * The program switches tuning off, and on again (MPI_Pcontrol). Local. */
#pragma once

#include "runtime/state.h"

/* The program switches tuning off, and on again (MPI_Pcontrol). Local: see there. */
void star_pause(bool off);
bool star_is_paused(void);
/* A rank was found paused: how many calls to wait before ranks ask each other again. Or all were awake. */
void star_pause_found(struct star_communicator *state, bool awake);
