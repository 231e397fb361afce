/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/why.h"

#include <stdio.h>

int star_because(struct star_why *why, int code, const char *format, ...)
{
    if (why == NULL)
        return code;
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    for (char *c = why->text; *c; c++) /* one line, whatever the user's input holds */
        if ((unsigned char)*c < ' ')
            *c = '?';
    return code;
}
