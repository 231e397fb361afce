/* SPDX-License-Identifier: BSD-3-Clause
 * How a rank waits for what another one shows in shared memory. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/* Waits a while, and longer each time: drives the MPI library, of which somebody else may wait for a message.
 * CROWDED: not each rank has a processor. *TURNS is 0 at first. MPI error code, raised nowhere. */
int star_wait(bool crowded, int *turns, MPI_Comm comm);
