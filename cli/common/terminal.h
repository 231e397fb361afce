/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_CLI_TERMINAL_H
#define STAR_CLI_TERMINAL_H

#include <stdbool.h>

/* Is FILE a terminal, and one that understands more than lines of text? */
bool cli_obeys(int file);
/* Whether standard output is a terminal that wants colours (https://no-color.org). */
bool cli_wants_colours(void);

#endif
