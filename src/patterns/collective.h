/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's collective operations over vectors. */
#pragma once

#include "patterns/patterns.h"
#include "runtime/call.h"

/* Do the vectors and the topology of REQUEST suit its operation? STAR_SUCCESS, or refused. */
int star_collective_check(const struct star_request *request, const char *call);
/* The call that its vectors describe, which were found good. */
struct star_call star_collective_call(const struct star_request *request);
/* Makes the call as the program would by its STAR_ name: tuned. MPI error code. */
int star_collective_run(const struct star_call *call);
/* What an MPI function returned, as a code. */
int star_collective_result(const struct star_request *request, int error, const char *call);
