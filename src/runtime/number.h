/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks agree on a number for a communicator. */
#pragma once

#include "runtime/state.h"

/* The ranks of COMM agree on its number. Collective over COMM. ABLE: is this rank? False: it has none. */
bool star_communicator_number(struct star_communicator *state, MPI_Comm comm, bool able);
