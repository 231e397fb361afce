/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void *shared_by_ranks(MPI_Comm comm, size_t bytes)
{
    char name[64];
    int rank, file = -1;
    PMPI_Comm_rank(comm, &rank);
    snprintf(name, sizeof name, "/startune-test-%ld", (long)getpid());
    if (rank == 0)
        file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (rank == 0 && ftruncate(file, (off_t)bytes) != 0)
        PMPI_Abort(comm, 2);
    PMPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm);
    if (rank != 0)
        file = shm_open(name, O_RDWR, 0600);
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED)
        PMPI_Abort(comm, 2);
    close(file);
    PMPI_Barrier(comm);
    if (rank == 0)
        shm_unlink(name);
    return shared;
}
