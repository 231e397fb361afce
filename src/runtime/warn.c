/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/runtime.h"

#include <stdarg.h>
#include <stdio.h>

void star_warn(enum star_warning kind, const char *format, ...)
{
    static atomic_flag said[STAR_WARNINGS]; /* all clear */
    if (star_runtime.world_rank != 0 || atomic_flag_test_and_set(&said[kind]))
        return;
    char line[500];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "startune: warning: %s\n", line);
}
