/* SPDX-License-Identifier: BSD-3-Clause
 * --help, and what it shares with the manual pages. */
#ifndef STAR_CLI_HELP_H
#define STAR_CLI_HELP_H

#include "command.h"

extern const char cli_overview[];
extern const struct cli_example cli_first_steps[];

/* Calls VISIT for each option of COMMAND: its own, the settings that it takes, and --help. */
typedef void cli_visit_option(const char *dashes, const char *name, const char *argument, const char *help,
                              const char *preset);
void cli_each_option(const struct cli_command *command, cli_visit_option *visit);

void cli_print_help(const struct cli_command *command);
/* COMMANDS ends with NULL. */
void cli_print_overview(const struct cli_command *const *commands);

#endif
