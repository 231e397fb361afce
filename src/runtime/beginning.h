/* SPDX-License-Identifier: BSD-3-Clause
 * Nonblocking calls begin: which ones the background may serve. The same on all ranks. */
#pragma once

#include "runtime/call.h"
#include "runtime/state.h"

/* Begins CALL, or leaves it to the MPI library, now; or it is none of those. *ERROR is raised already. */
enum star_beginning { STAR_NOT_SERVED, STAR_IS_NATIVES, STAR_HAS_BEGUN };
enum star_beginning star_beginning_serve(const struct star_call *call, struct star_communicator *state,
                                         MPI_Request *request, int *error);
/* Any other call, which is the MPI library's, or MPI_Comm_idup (errand.h). True: it is put off behind others
 * of its communicator. */
bool star_beginning_joins(const struct star_call *call, struct star_communicator *state, MPI_Request *request,
                          int *error);
