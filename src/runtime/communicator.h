/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a communicator: an attribute, made with it or at its first call. */
#pragma once

#include "runtime/state.h"

/* The state of COMM, or NULL when all calls on it are native's. Cheap when asked again. MPI
 * error code, raised already: COMM is no communicator. */
int star_communicator_of(MPI_Comm comm, struct star_communicator **found);
/* Is COMM one whose ranks may agree on something? All of them find the same, but not all need have a state:
 * NULL, where there is no memory, or one that is left to the MPI library. */
bool star_communicator_meets(MPI_Comm comm, struct star_communicator **found);
/* May calls on COMM be tuned? The same on all of its ranks. *STATE: that of COMM; NULL where this rank has no
 * memory for it. */
bool star_communicator_is_served(MPI_Comm comm, struct star_communicator **state);
/* FUNCTION ("MPI_Comm_dup") has made MADE of COMM, by its own ranks together, or by all ranks of COMM
 * TOGETHER. Its ranks agree on its number, but where COMM has many such children. Collective over MADE. */
void star_communicator_made(const char *function, MPI_Comm comm, MPI_Comm made, bool together);
/* The program has called MPI_Comm_idup on COMM. */
void star_communicator_idup(MPI_Comm comm);
/* The program frees or disconnects *COMM by NATIVE. */
int star_communicator_free(MPI_Comm *comm, int (*native)(MPI_Comm *));
/* The attribute's delete function: the program frees the communicator. */
int star_communicator_freed(MPI_Comm comm, int keyval, void *value, void *extra);
/* At the end: all communicators that the program has not freed. */
void star_communicators_retire(void);
