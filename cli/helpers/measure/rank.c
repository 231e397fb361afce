/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank.h"
#include "util/file_write.h"

#include <stddef.h>
#include <time.h>

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

void await(MPI_Request *request)
{
    for (int done = 0; !done;) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Wait(request, MPI_STATUS_IGNORE); /* it is complete */
}

int status_of(int error)
{
    return error == 0 ? 0 : error == STAR_EINPUT ? 2 : 1;
}
