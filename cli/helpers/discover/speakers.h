/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks that measure: one of each host. */
#pragma once

#include <mpi.h>

struct speakers {
    MPI_Comm comm;
    int rank, count;
};
