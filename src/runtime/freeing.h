/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that the program is freeing. Delete functions of its own attributes may call on them, when
 * startune's is gone: all such calls are native's. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/* This thread frees COMM. False: such a handle cannot be freed. */
bool star_freeing_begins(MPI_Comm comm);
/* It has; or a new communicator has that handle. */
void star_freeing_ends(MPI_Comm comm);
/* Is this thread freeing COMM? */
bool star_is_being_freed(MPI_Comm comm);
