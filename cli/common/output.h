/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "util/text.h"

/* Writes TEXT to the file PATH, or to standard output where that is NULL or "-", and frees it. CLI_FAILED
 * after saying why it could not be written. */
int cli_put(const char *path, struct star_text *text);
/* Ends the line that begins at BEGIN. What stands in it may be the words of a report or a store: their
 * control characters become question marks, so that they neither make it two lines nor speak to the terminal.
 */
void cli_end_line(struct star_text *text, size_t begin);
/* Before minutes of computing: could cli_put write the file PATH? CLI_OK, or the exit status after saying why
 * not. */
int cli_check_output(const char *path);
/* The day of DATE, in UTC. */
const char *cli_format_day(int64_t date, char *buffer, size_t room);
