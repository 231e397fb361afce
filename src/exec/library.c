/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/library.h"
#include "dialect/handles.h"

#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

static void ask(char version[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int length;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        version[0] = 0;
}

const struct star_dialect *star_dialect_here(void)
{
    static _Atomic(const struct star_dialect *) known; /* whichever thread finds it finds the same */
    const struct star_dialect *here = atomic_load_explicit(&known, memory_order_relaxed);
    if (here != NULL)
        return here;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    ask(version);
    here = star_dialect_of(version);
    if (here == NULL)
        here = STAR_DIALECT_UNKNOWN(MPI_Comm);
    atomic_store_explicit(&known, here, memory_order_relaxed);
    return here;
}

bool star_library_says(const char *sign)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    ask(version);
    return sign != NULL && strstr(version, sign) != NULL;
}

void star_library_title(char *title, size_t room)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    ask(version);
    star_dialect_title(version, title, room);
}
