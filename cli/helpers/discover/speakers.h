/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks that measure: one of each host. */
#ifndef STAR_CLI_SPEAKERS_H
#define STAR_CLI_SPEAKERS_H

#include <mpi.h>

struct speakers {
    MPI_Comm comm;
    int rank, count;
};

#endif
