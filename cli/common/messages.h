/* SPDX-License-Identifier: BSD-3-Clause
 * What the command says on standard error, and what it exits with. */
#pragma once

#include "util/why.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_CANNOT_RUN = 126, CLI_NOT_FOUND = 127 };

/* From now on errors are those of this subcommand. */
void cli_speak_for(const char *subcommand);
/* "startune COMMAND: error: …" on standard error. Several ranks of a machine that fail alike say it once.
 * Returns CLI_USAGE. */
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says WHY as an error. Returns CLI_USAGE where ERROR is the user's to mend, else CLI_FAILED. */
int cli_refuse(int error, const struct star_why *why);
/* "startune: warning: …" on standard error, from the first rank of a job. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Flushes standard output. Returns STATUS, or CLI_FAILED after an error where that was CLI_OK and not all of
 * the output was written. */
int cli_end(int status);
