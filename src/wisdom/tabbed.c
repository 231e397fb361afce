/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/tabbed.h"
#include "util/parse.h"

#include <ctype.h>
#include <string.h>

bool star_tabbed_name(char **rest, char *name, size_t room)
{
    const char *next = strsep(rest, "\t");
    size_t length = next ? strlen(next) : 0;
    if (length == 0 || length >= room)
        return false;
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)next[i]))
            return false;
    memcpy(name, next, length + 1);
    return true;
}

bool star_tabbed_integer(char **rest, int64_t least, int64_t most, int64_t *number)
{
    const char *next = strsep(rest, "\t");
    return next != NULL && star_parse_integer(next, number) && *number >= least && *number <= most;
}

bool star_tabbed_number(char **rest, double least, double most, double *number)
{
    const char *next = strsep(rest, "\t");
    return next != NULL && star_parse_number(next, number) && *number >= least && *number <= most;
}
