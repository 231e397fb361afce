/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo bound: how fast an operation can be at best on a topology. */
#ifndef STAR_CLI_TOPO_BOUND_H
#define STAR_CLI_TOPO_BOUND_H

#include "cli/common/command.h"
#include "util/text.h"

/* Takes an option of its own; false with the reason. */
bool cli_bound_take(const struct cli_option *option, const char *value, struct star_why *why);
/* WORDS are the file, the operation and the bytes. The answer goes to TEXT; the exit status, after saying
 * what is wrong. */
int cli_bound(int count, char **words, bool json, struct star_text *text);

#endif
