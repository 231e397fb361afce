/* SPDX-License-Identifier: BSD-3-Clause
 * Another tool of MPI's profiling interface behind startune: a library that defines MPI_X, and that the
 * program is linked with, or that is preloaded behind startune. Without startune the program's calls would
 * be its. So startune's MPI_X hands them on to it, and tunes what comes back from it by the name PMPI_X. */
#pragma once

#include "exec/native.h"
#include "util/export.h"

/* Filled when the library is loaded; NULL where there is none, which is nearly always. */
extern struct star_native_table star_tool;

/* Fills it where it is not, as star_native_find does. */
void star_tool_find(void);

/* Two functions of one body, a block in braces, which sees the caller of either. */
#define STAR_BOTH_SEEING(name, parameters, arguments, ...)                                                   \
    STAR_EXPORT int PMPI_##name parameters __VA_ARGS__ STAR_EXPORT int MPI_##name parameters                 \
    {                                                                                                        \
        if (star_tool.name != NULL)                                                                          \
            return star_tool.name arguments;                                                                 \
        __VA_ARGS__                                                                                          \
    }
/* The same of a function, which need not see its caller. */
#define STAR_BOTH_NAMES(name, parameters, arguments, body)                                                   \
    STAR_BOTH_SEEING(name, parameters, arguments, { return body arguments; })
