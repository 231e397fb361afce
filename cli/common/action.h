/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "command.h"

/* Takes COMMAND's options and does what the first of the other words says. The exit status, after saying what
 * is wrong where no action is named, or the words or options are not for it. */
int cli_act(const struct cli_command *command, int argc, char **argv);
