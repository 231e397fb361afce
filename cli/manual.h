/* SPDX-License-Identifier: BSD-3-Clause
 * The manual pages and the shell's completion, from the tables of COMMANDS, which end with NULL. */
#ifndef STAR_CLI_MANUAL_H
#define STAR_CLI_MANUAL_H

#include "cli/common/command.h"

/* Prints PAGE: startune or startune-COMMAND. The exit status. */
int cli_print_manual(const struct cli_command *const *commands, const char *page);
void cli_print_completion(const struct cli_command *const *commands);

#endif
