/* SPDX-License-Identifier: BSD-3-Clause
 * What --help prints. */
#pragma once

#include "command.h"

extern const char cli_overview[];
extern const struct cli_line cli_first_steps[];

void cli_print_help(const struct cli_command *command);
/* COMMANDS ends with NULL. */
void cli_print_overview(const struct cli_command *const *commands);
