/* SPDX-License-Identifier: BSD-3-Clause
 * Nonblocking collectives that are short, on communicators within one node: each rank shows on a board
 * (exec/board.h) what it gives when it begins a call, and takes what it gets when it looks, so that no call
 * needs another rank's progress. All others are the MPI library's. */
#pragma once

#include "runtime/state.h"

/* Can any call on the communicator go by a board, as far as this rank knows? */
bool star_nonblocking_is_possible(struct star_communicator *state, MPI_Comm comm);
/* Begins CALL. False: the MPI library is to; *ERROR is MPI's otherwise, raised already. */
bool star_nonblocking_begin(const struct star_call *call, struct star_communicator *state,
                            MPI_Request *request, int *error);

/* Blocking calls as short as that, of operations that some ranks may leave before others have come, can go
 * the same way: is this one of them, on all ranks alike? */
bool star_short_is_served(const struct star_communicator *state, enum star_operation operation,
                          const struct star_facts *facts);
/* Makes one: by the board or natively. MPI error code, raised already. */
int star_short_run(const struct star_call *call, struct star_communicator *state);
