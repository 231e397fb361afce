/* SPDX-License-Identifier: BSD-3-Clause
 * Commands that do several things, each named by its first word: `startune map show`. */
#ifndef STAR_CLI_ACTION_H
#define STAR_CLI_ACTION_H

#include "command.h"

struct cli_action {
    const char *name;
    int (*run)(int count, char **words); /* gets the words behind its name */
    int least, most;                     /* so many */
    const char *options;                 /* that it has a use for, each between spaces */
};
enum { CLI_ANY_NUMBER = 1 << 20 };

/* Takes COMMAND's options and does what the first of the other words says. ACTIONS end with a NULL name;
 * where that one runs something, it is meant where no action is named, and gets all words. Exit status; after
 * saying what is wrong where no action is named, or the words or options are not for it. */
int cli_act(const struct cli_command *command, const struct cli_action *actions, int argc, char **argv);

#endif
