/* SPDX-License-Identifier: BSD-3-Clause
 * States of communicators that the MPI library could not hang on them, as it has no memory for an attribute
 * on this rank. The other ranks go on with theirs: so these are found here. */
#pragma once

#include <mpi.h>

struct star_communicator;

/* From now on STATE is COMM's. */
void star_aside_put(MPI_Comm comm, struct star_communicator *state);
/* NULL: COMM has none here. */
struct star_communicator *star_aside_find(MPI_Comm comm);
/* As star_aside_find; and then it is COMM's no more. */
struct star_communicator *star_aside_take(MPI_Comm comm);
