/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/idup.h"
#include "runtime/session.h"

/* So that agreements ask for no attribute where no program has done that, as nearly all. */
static atomic_bool some;

void star_idup_began(struct star_communicator *state)
{
    state->idup = true;
    atomic_store(&some, true);
}

bool star_idup_is_known(MPI_Comm comm)
{
    struct star_communicator *state;
    int exists;
    return atomic_load_explicit(&some, memory_order_acquire) &&
           PMPI_Comm_get_attr(comm, star_runtime.keyval, &state, &exists) == MPI_SUCCESS && exists &&
           state->idup;
}
