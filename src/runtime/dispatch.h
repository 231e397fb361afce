/* SPDX-License-Identifier: BSD-3-Clause
 * One call of the program, served. */
#ifndef STAR_RUNTIME_DISPATCH_H
#define STAR_RUNTIME_DISPATCH_H

#include "runtime/state.h"

/* Serves a call on a communicator with a state. MPI error code, raised already. */
int star_dispatch(const struct star_call *call, struct star_communicator *state);

#endif
