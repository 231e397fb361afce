/* SPDX-License-Identifier: BSD-3-Clause
 * The manual pages, from the tables of COMMANDS, which end with NULL. */
#pragma once

#include "cli/common/command.h"

/* Prints PAGE: startune, startune-COMMAND or startune.conf. The exit status. */
int cli_print_manual(const struct cli_command *const *commands, const char *page);
/* Writes all pages to FOLDER/man1 and FOLDER/man5. The exit status. */
int cli_write_manuals(const struct cli_command *const *commands, const char *folder);
