/* SPDX-License-Identifier: BSD-3-Clause
 * The shell's completion. */
#ifndef STAR_CLI_COMPLETION_H
#define STAR_CLI_COMPLETION_H

#include "cli/common/command.h"

/* Prints what bash is to read: it asks `startune complete` for candidates. */
void cli_print_completion(void);
/* Prints a candidate a line for the last of WORDS, those behind `startune`; " files" and " programs" stand
 * for what the shell knows itself. COMMANDS ends with NULL. */
void cli_complete(const struct cli_command *const *commands, int count, char **words);

#endif
