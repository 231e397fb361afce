/* SPDX-License-Identifier: BSD-3-Clause
 * The options of a subcommand as people see them: for help, manual pages and completion. */
#pragma once

#include "command.h"

struct cli_shown {
    const char *group;            /* a heading that begins here; or NULL */
    const char *dashes, *name;    /* "--", "-" or "--no-" */
    const char *argument;         /* NULL: a switch */
    const char *before;           /* what stands before HELP: the actions that it is for, "of show, draw: " */
    const char *help, *preset;    /* PRESET: NULL where there is none */
    const struct cli_line *words; /* with a line each, or NULL */
};
typedef void cli_visit(const struct cli_shown *shown, void *context);

/* Visits COMMAND's own options, the settings that it takes, and --help. */
void cli_each_option(const struct cli_command *command, cli_visit *visit, void *context);
/* Visits the settings, group by group. */
void cli_each_setting(cli_visit *visit, void *context);
/* Is OPTION for ACTION? */
bool cli_is_for(const struct cli_option *option, const struct cli_action *action);
