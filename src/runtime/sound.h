/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that the MPI library refuses. Such a one is not put off: the program is told at once. */
#pragma once

#include "runtime/state.h"

/* False: the library refuses it, as it is asked in calls without elements, of this rank alone. */
bool star_call_is_sound(const struct star_call *call, const struct star_communicator *state);
