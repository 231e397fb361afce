/* SPDX-License-Identifier: BSD-3-Clause
 * Commands that measure become an MPI program of the launcher's MPI library. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum cli_mpi choose_mpi(void)
{
    if (strcmp(cli_settings_now.mpi, "auto") != 0)
        return strcmp(cli_settings_now.mpi, "openmpi") == 0 ? CLI_MPI_OPENMPI : CLI_MPI_MPICH;
    return cli_mpi_of_launcher();
}

int cli_become(const struct cli_command *command, const char *program, int argc, char **argv)
{
    char file[64], path[4096];
    enum cli_mpi mpi = choose_mpi();
    if (mpi == CLI_MPI_NONE)
        return cli_error(command, "start it with mpirun (or name the MPI library with --mpi)");
    if (!cli_mpi_is_built(mpi))
        return cli_error(command, "the launcher is %s's, and this startune was built for %s only",
                         cli_mpi_names[mpi], STARTUNE_BUILT);
    snprintf(file, sizeof file, "startune-%s-%s", program, cli_mpi_names[mpi]);
    if (!cli_path_beside(STARTUNE_TO_HELPERS, file, path, sizeof path)) {
        cli_error(command, "the program %s is missing: is startune installed whole?", path);
        return CLI_FAILED;
    }
    unsetenv("STARTUNE"); /* under `startune run` too, native is the MPI library's own */
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (words != NULL) {
        words[0] = path;
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        execv(path, words);
        free(words);
    }
    cli_error(command, "%s: %s", path, strerror(errno));
    return CLI_FAILED;
}
