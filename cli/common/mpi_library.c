/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_library.h"
#include "beside.h"
#include "dialect/dialect.h"
#include "dialect/launcher.h"
#include "messages.h"
#include "settings.h"
#include "util/parse.h"
#include "util/settings.h"

#include <stdio.h>

/* The setting's; NULL: auto, its first choice. */
static const char *of_setting(void)
{
    char word[64];
    if (cli_settings_now.mpi == 0)
        return NULL;
    star_setting_format(&cli_settings_now, star_setting_find("mpi"), word, sizeof word);
    return star_dialect_of_build(word)->build;
}

static bool is_built(const char *name)
{
    return star_choice_index(STARTUNE_BUILT, name) >= 0;
}

/* The standard's, where there is none of the library's own. */
static const char *of_launcher(void)
{
    const struct star_dialect *launched = star_launched_mpi();
    if (launched == NULL)
        return NULL;
    return is_built(star_abi.build) && !is_built(launched->build) ? star_abi.build : launched->build;
}

const char *cli_mpi_chosen(const char *linked)
{
    const char *set = of_setting();
    return set != NULL ? set : linked != NULL ? linked : of_launcher();
}

int cli_file_of_mpi(const char *mpi, const char *user, const char *before, const char *after, char *path,
                    size_t room)
{
    char file[1024];
    if (!is_built(mpi))
        return cli_error("%s %s, and this startune was built for %s only", user, mpi, STARTUNE_BUILT);
    snprintf(file, sizeof file, "%s%s%s", before, mpi, after);
    return cli_find_beside(file, path, room);
}
