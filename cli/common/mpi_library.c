/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_library.h"
#include "messages.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"none", "openmpi", "mpich"};

static enum cli_mpi of_launcher(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE") != NULL)
        return CLI_MPI_OPENMPI;
    if (getenv("PMI_RANK") != NULL || getenv("HYDI_CONTROL_FD") != NULL)
        return CLI_MPI_MPICH;
    return getenv("PMIX_RANK") != NULL ? CLI_MPI_OPENMPI : CLI_MPI_NONE;
}

enum cli_mpi cli_mpi_chosen(enum cli_mpi linked)
{
    for (enum cli_mpi mpi = CLI_MPI_OPENMPI; mpi <= CLI_MPI_MPICH; mpi++)
        if (strcmp(cli_settings_now.mpi, names[mpi]) == 0)
            return mpi;
    return linked != CLI_MPI_NONE ? linked : of_launcher();
}

static bool is_built(const char *name)
{
    const char *built = STARTUNE_BUILT;
    for (size_t length; *built; built += length + (built[length] == '|')) {
        length = strcspn(built, "|");
        if (strlen(name) == length && strncmp(name, built, length) == 0)
            return true;
    }
    return false;
}

static bool find_beside(const char *beside, const char *file, char *path, size_t room)
{
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = 0;
    *strrchr(own, '/') = 0;
    snprintf(path, room, "%s/%s/%s", own, beside, file);
    char *real = realpath(path, NULL);
    if (real != NULL)
        snprintf(path, room, "%s", real);
    free(real);
    return access(path, R_OK) == 0;
}

int cli_file_of_mpi(enum cli_mpi mpi, const char *user, const char *beside, const char *before,
                    const char *after, char *path, size_t room)
{
    char file[64];
    if (!is_built(names[mpi]))
        return cli_error("%s %s, and this startune was built for %s only", user, names[mpi], STARTUNE_BUILT);
    snprintf(file, sizeof file, "%s%s%s", before, names[mpi], after);
    if (find_beside(beside, file, path, room))
        return CLI_OK;
    cli_error("the file %s is missing: is startune installed whole?", path);
    return CLI_FAILED;
}
