/* SPDX-License-Identifier: BSD-3-Clause
 * Each rank finds the mistakes of a command line before MPI begins. One of them says it, for all of one
 * launcher and machine. */
#pragma once

#include <stdbool.h>

/* Does another process of this one's launcher say LINE just now, on this machine? Else the others learn that
 * this one does. */
bool cli_is_said(const char *line);
/* Waits a little for others that are about to say the same. */
void cli_let_others_come(void);
