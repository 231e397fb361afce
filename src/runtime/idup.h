/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators on which the program has called MPI_Comm_idup. Then startune's nonblocking operations there
 * may not stand beside the library's own, by which that goes on in the background: Open MPI matches them by
 * the order in which a rank begins them, which the background's progress decides. */
#pragma once

#include "runtime/state.h"

void star_idup_began(struct star_communicator *state);
/* Has it ever, on COMM? The same on all ranks. */
bool star_idup_is_known(MPI_Comm comm);
