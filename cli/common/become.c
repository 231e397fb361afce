/* SPDX-License-Identifier: BSD-3-Clause */
#include "become.h"
#include "messages.h"
#include "mpi_library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_become(const char *program, int argc, char **argv)
{
    char before[64], path[4096];
    const char *mpi = cli_mpi_chosen(NULL);
    if (mpi == NULL)
        return cli_error("start it with mpirun (or name the MPI library with --mpi)");
    snprintf(before, sizeof before, "startune-%s-", program);
    int status = cli_file_of_mpi(mpi, "the launcher belongs to", before, "", path, sizeof path);
    if (status != CLI_OK)
        return status;
    unsetenv("STARTUNE"); /* under `startune run` too, native is the MPI library's own */
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (words != NULL) {
        words[0] = path;
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        execv(path, words);
        free(words);
    }
    cli_error("%s: %s", path, strerror(errno));
    return CLI_FAILED;
}
