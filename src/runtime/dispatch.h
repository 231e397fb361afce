/* SPDX-License-Identifier: BSD-3-Clause
 * One call of the program, served. */
#pragma once

#include "runtime/repeat.h"
#include "runtime/state.h"

/* Serves a call on a communicator with a state. MPI error code, raised already. */
int star_dispatch(const struct star_call *call, struct star_communicator *state);
/* The same for one that came before, of which all is KNOWN: see repeat.h. */
int star_dispatch_again(const struct star_call *call, struct star_communicator *state,
                        const struct star_repeat *known);
