/* SPDX-License-Identifier: BSD-3-Clause
 * What any rank of a measuring program needs. */
#pragma once

#include "util/why.h"

#include <mpi.h>

/* MEMORY, which must be there: a rank that lacks it ends all. */
void *must(void *memory);
/* Before minutes of measuring: can rank 0 write FILE? It alone will, and other ranks may be on hosts that
 * have no such folder. The same error on all ranks; WHY counts on rank 0. Collective over MPI_COMM_WORLD. */
int check_output(const char *file, struct star_why *why);
/* Waits for REQUEST and sleeps meanwhile, to take no processor from ranks that measure. */
void await(MPI_Request *request);
/* The exit status that stands for ERROR. */
int status_of(int error);
