/* SPDX-License-Identifier: BSD-3-Clause
 * Takes the options of a subcommand from the command line. */
#pragma once

#include "command.h"

/* Takes the options at the front of ARGV for COMMAND (its settings too) and returns the index of the first
 * word that is none, or −1 after saying on standard error what is wrong. `--` ends them. --help prints and
 * exits. */
int cli_options(const struct cli_command *command, int argc, char **argv);
/* Takes options wherever they stand in front of `--`, moves the other words to the front of ARGV and returns
 * how many they are, or −1. */
int cli_operands(const struct cli_command *command, int argc, char **argv);
/* Was OPTION, of its command's table, taken? */
bool cli_was_given(const struct cli_option *option);
/* Loads the settings and takes the options, as cli_options. Options count more than the file that one of them
 * may name, by cli_take_file: so they are taken twice, before and after it is read. */
int cli_load_with_options(const struct cli_command *command, int argc, char **argv);
