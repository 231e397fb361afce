/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's SMPI runs all ranks in one thread of one process, each with its own copy of the program and of
 * startune, which is linked into it. The build for SMPI includes this before each file: all that is different
 * there. SMPI's own header does the same for a program: the clock and exit are the simulated rank's. */
#pragma once

#define STAR_SIMULATED
#define SMPI_NO_OVERRIDE_MALLOC /* ranks share nothing that is allocated */
#include <mpi.h>
#include <smpi/smpi_helpers.h>
#include <stddef.h>

/* The copies are loaded while the process runs, when no place is left for thread-locals of that model. */
#define tls_model(model)

/* gethostname of the host that the platform has for the rank. */
int star_smpi_host_name(char *name, size_t room);
#define gethostname(name, room) star_smpi_host_name((name), (room))

/* Its nonblocking operations send each rank a message from one, and whoever asks whether they are over takes
 * simulated time: agreements wait in the blocking ones. */
#define STAR_BEGIN_ALLREDUCE(mine, all, count, type, op, comm, request)                                      \
    (*(request) = MPI_REQUEST_NULL, star_native.Allreduce((mine), (all), (count), (type), (op), (comm)))
#define STAR_BEGIN_REDUCE(mine, all, count, type, op, root, comm, request)                                   \
    (*(request) = MPI_REQUEST_NULL, star_native.Reduce((mine), (all), (count), (type), (op), (root), (comm)))
#define STAR_BEGIN_BCAST(data, count, type, root, comm, request)                                             \
    (*(request) = MPI_REQUEST_NULL, star_native.Bcast((data), (count), (type), (root), (comm)))
#define STAR_BEGIN_ALLGATHER(mine, count, type, all, room, into, comm, request)                              \
    (*(request) = MPI_REQUEST_NULL,                                                                          \
     star_native.Allgather((mine), (count), (type), (all), (room), (into), (comm)))
#define PMPI_Comm_idup(comm, made, request) (*(request) = MPI_REQUEST_NULL, PMPI_Comm_dup((comm), (made)))

/* Not implemented there: the call would end the simulation. Nothing is spawned. */
#define PMPI_Comm_get_parent(parent) (*(parent) = MPI_COMM_NULL, MPI_SUCCESS)
