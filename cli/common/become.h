/* SPDX-License-Identifier: BSD-3-Clause
 * Commands that measure become an MPI program of the launcher's MPI library. */
#pragma once

/* Becomes startune-PROGRAM of the launcher's MPI library, or of the one that the setting `mpi` names, with
 * the arguments ARGV. Returns only when that cannot be: the exit status, after saying why. */
int cli_become(const char *program, int argc, char **argv);
