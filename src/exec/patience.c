/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/patience.h"
#include "util/relax.h"

#include <sched.h>
#include <time.h>

int star_wait(bool crowded, int *turns, MPI_Comm comm)
{
    enum { SPINS = 128, AWAKE = 4096, EACH = 16, NAP = 50000 };
    int flag;
    ++*turns;
    if (!crowded && *turns < SPINS) {
        star_relax();
        return MPI_SUCCESS;
    }
    if (*turns % EACH == 0 && PMPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (crowded && *turns > AWAKE)
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    else
        sched_yield();
    return MPI_SUCCESS;
}
