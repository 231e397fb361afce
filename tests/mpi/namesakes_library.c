/* SPDX-License-Identifier: BSD-3-Clause
 * A library that knows `log` as what writes to a log, and numbers as integers. */
#include "namesakes_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines;

static void called(const char *name)
{
    fprintf(stderr, "FAILED: somebody else called the program's %s\n", name);
    abort();
}

void log(const char *what, int number)
{
    if (number != 200 || strcmp(what, "the lists have") != 0)
        called("log");
    lines++;
}

int logged(void)
{
    return lines;
}

#define NOBODYS(name)                                                                                        \
    int name(int of);                                                                                        \
    int name(int of)                                                                                         \
    {                                                                                                        \
        called(#name);                                                                                       \
        return of;                                                                                           \
    }
NOBODYS(exp)
NOBODYS(log2)
NOBODYS(log1p)
NOBODYS(erfc)
NOBODYS(fmin)
NOBODYS(fmax)
NOBODYS(lround)
NOBODYS(fsync)
