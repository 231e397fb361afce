/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/rank.h"
#include "util/file_write.h"

#include <mpi.h>
#include <stddef.h>

void *must(void *memory)
{
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

int check_output(const char *file, struct star_why *why)
{
    int rank, error = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        error = star_file_check(file, why);
    MPI_Bcast(&error, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return error;
}

int status_of(int error)
{
    return error == 0 ? 0 : error == STAR_EINPUT ? 2 : 1;
}
