/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI libraries that startune was built for, and its files for each. They go by the name of the build, as
 * dialects have it: "openmpi". */
#pragma once

#include "util/why.h"

#include <stddef.h>

/* The MPI library that the setting `mpi` names; else LINKED, which the program is linked with; else that of
 * the launcher (mpirun, srun), by what it left in the environment. NULL is none. */
const char *cli_mpi_chosen(const char *linked);
/* Finds startune's file of an MPI library, whose name stands between BEFORE and AFTER in the file's, as
 * cli_find_beside has files. CLI_OK, or the exit status after saying why not; USER is the beginning of that:
 * "the program uses". */
int cli_file_of_mpi(const char *mpi, const char *user, const char *before, const char *after, char *path,
                    size_t room);
