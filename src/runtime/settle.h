/* SPDX-License-Identifier: BSD-3-Clause
 * For what all ranks of a communicator do together there, besides the collectives that can be put off. */
#pragma once

#include "runtime/backlog.h"
#include "runtime/communicator.h"

/* NULL: startune serves nothing there. */
static inline struct star_communicator *star_served(MPI_Comm comm)
{
    struct star_communicator *state = NULL;
    return comm != MPI_COMM_NULL && star_communicator_of(comm, &state) == MPI_SUCCESS ? state : NULL;
}

/* What was put off on COMM begins. */
static inline void star_settle_on(MPI_Comm comm)
{
    struct star_communicator *state = star_backlog_holds() ? star_served(comm) : NULL;
    if (state != NULL)
        star_backlog_settle(state);
}
