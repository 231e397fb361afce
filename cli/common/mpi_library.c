/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_library.h"
#include "dialect/dialect.h"
#include "dialect/launcher.h"
#include "messages.h"
#include "settings.h"
#include "util/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The setting's; NULL: auto, its first choice. */
static const char *of_setting(void)
{
    char word[64];
    if (cli_settings_now.mpi == 0)
        return NULL;
    star_setting_format(&cli_settings_now, star_setting_find("mpi"), word, sizeof word);
    return star_dialect_of_build(word)->build;
}

static const char *of_launcher(void)
{
    const struct star_dialect *launched = star_launched_mpi();
    return launched ? launched->build : NULL;
}

const char *cli_mpi_chosen(const char *linked)
{
    const char *set = of_setting();
    return set != NULL ? set : linked != NULL ? linked : of_launcher();
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

int cli_file_of_mpi(const char *mpi, const char *user, const char *beside, const char *before,
                    const char *after, char *path, size_t room)
{
    char file[64];
    if (!is_built(mpi))
        return cli_error("%s %s, and this startune was built for %s only", user, mpi, STARTUNE_BUILT);
    snprintf(file, sizeof file, "%s%s%s", before, mpi, after);
    if (find_beside(beside, file, path, room))
        return CLI_OK;
    cli_error("the file %s is missing: is startune installed whole?", path);
    return CLI_FAILED;
}
