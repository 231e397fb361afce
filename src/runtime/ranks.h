/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks of a communicator, as ranks of MPI_COMM_WORLD. Local. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/* The ranks in MPI_COMM_WORLD of those of COMM, which has SIZE, to be freed; MPI_UNDEFINED for those of
 * another world. NULL: they cannot be found out. */
int *star_world_ranks(MPI_Comm comm, int size);
/* Are they those of MPI_COMM_WORLD, in that order? */
bool star_is_of_world(MPI_Comm comm, int size);
/* Is OF_WORLD, which has a number for each rank of MPI_COMM_WORLD, different on some of COMM's? */
bool star_ranks_differ(MPI_Comm comm, int size, const int *of_world);
/* Are all ranks of COMM of this MPI_COMM_WORLD? */
bool star_ranks_are_known(MPI_Comm comm, int size);
