/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_obeys(int file)
{
    const char *terminal = getenv("TERM");
    return isatty(file) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

bool cli_wants_colours(void)
{
    const char *none = getenv("NO_COLOR");
    return cli_obeys(STDOUT_FILENO) && (none == NULL || none[0] == 0);
}
