/* SPDX-License-Identifier: BSD-3-Clause
 * The startune that users call. Each rank of a job runs `startune run`, so this program has that alone and
 * needs no library but C's: loading those of the other subcommands takes longer than all that `run` does. For
 * all else it becomes startune-command, which has every subcommand. */
#include "cli/common/beside.h"
#include "cli/common/command.h"
#include "cli/common/messages.h"
#include "cli/common/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct cli_command cli_run;

static char **words; /* of this call */

/* Returns only where that cannot be: the exit status. */
static int become_command(void)
{
    char path[4096];
    int status = cli_find_beside(STARTUNE_TO_HELPERS "/startune-command", path, sizeof path);
    if (status != CLI_OK)
        return status;
    execv(path, words);
    cli_error("%s: %s", path, strerror(errno));
    return CLI_FAILED;
}

/* Where a setting names methods or costs, the command reads all of them anew: it has the algorithms. */
static int leave_to_command(const char *name, const char *value, struct star_why *why)
{
    (void)name, (void)value, (void)why;
    exit(become_command());
}

int main(int argc, char **argv)
{
    words = argv;
    if (argc < 2 || strcmp(argv[1], cli_run.name) != 0)
        return become_command();
    cli_speak_for(cli_run.name);
    cli_settings_check = leave_to_command;
    return cli_end(cli_run.run(&cli_run, argc - 2, argv + 2));
}
