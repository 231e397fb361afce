/* SPDX-License-Identifier: BSD-3-Clause
 * Where startune's other files are: relative to the running program, so an installation may be moved. */
#pragma once

#include <stddef.h>

/* Puts the path of FILE into PATH. FILE is relative to the running program's folder, with all "../" first.
 * CLI_OK, or the exit status after saying that it is missing. */
int cli_find_beside(const char *file, char *path, size_t room);
