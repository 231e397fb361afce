/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

/* Is FILE a terminal, and one that understands more than lines of text? */
bool cli_obeys(int file);
/* Whether standard output is a terminal that wants colours (https://no-color.org). */
bool cli_wants_colours(void);
