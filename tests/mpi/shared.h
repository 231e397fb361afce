/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that ranks of one machine share. Not MPI's: Debian's MPICH 5.0.2 takes each rank for a node. */
#pragma once

#include <mpi.h>
#include <stddef.h>

/* BYTES of zeros, to be given back with munmap. Collective over COMM; ends the job where there are none. */
void *shared_by_ranks(MPI_Comm comm, size_t bytes);
