/* SPDX-License-Identifier: BSD-3-Clause */
#include "beside.h"
#include "messages.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Takes the last word off PATH. */
static void go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = 0;
}

/* The system names the running program without links, so the parents of its folder are found without asking
 * for each again: every rank would ask, of one file system. */
int cli_find_beside(const char *file, char *path, size_t room)
{
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) {
        cli_error("/proc/self/exe cannot be read, which says where startune is installed: is /proc mounted?");
        return CLI_FAILED;
    }
    own[length] = 0;
    go_up(own);
    for (; strncmp(file, "../", 3) == 0; file += 3)
        go_up(own);
    snprintf(path, room, "%s/%s", own, file);
    if (access(path, R_OK) == 0)
        return CLI_OK;
    cli_error("the file %s is missing: is startune installed whole?", path);
    return CLI_FAILED;
}
