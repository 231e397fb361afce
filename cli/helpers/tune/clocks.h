/* SPDX-License-Identifier: BSD-3-Clause
 * The clocks of the ranks. */
#pragma once

#include <mpi.h>
#include <stdint.h>

/* How far this rank's clock is behind that of rank 0, by the fastest of a few round trips.
 * Collective. */
int64_t clocks_compare(MPI_Comm comm);
