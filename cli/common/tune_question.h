/* SPDX-License-Identifier: BSD-3-Clause
 * The options of startune tune, read alike by the command, which checks them, and by the program that it
 * becomes. */
#pragma once

#include "command.h"
#include "search/question.h"

extern struct star_question tune_question;
extern const struct cli_option tune_options[];

/* Takes the options of COMMAND from ARGV. CLI_OK, or the exit status after saying what is wrong. */
int tune_question_read(const struct cli_command *command, int argc, char **argv);
