/* SPDX-License-Identifier: BSD-3-Clause
 * The shell's completion. */
#pragma once

#include "cli/common/command.h"

/* Prints what SHELL is to read: it asks `startune complete` for candidates. Returns the exit status. */
int cli_print_completion(const char *shell);
/* Prints a candidate a line for the last of WORDS, those behind `startune`; " files" and " programs" stand
 * for what the shell knows itself. Where the first is --explain, a tab and what it means follow each
 * candidate. COMMANDS ends with NULL. */
void cli_complete(const struct cli_command *const *commands, int count, char **words);
