/* SPDX-License-Identifier: BSD-3-Clause
 * What tests that look inside of the runtime check with: a failure is told with the rank, the first ten of a
 * rank. */
#pragma once

#include "functions/forced.h"
#include "runtime/session.h"
#include "runtime/start.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition) && failures++ < 10) {                                                               \
            fprintf(stderr, "FAILED: rank %d of %d: ", rank, size);                                          \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fprintf(stderr, "\n");                                                                           \
        }                                                                                                    \
    } while (0)

/* As `startune run` does, but without memory: programs that lost time in earlier runs are left alone. Where
 * it does not begin there is nothing to look at. */
static inline void check_begin(void)
{
    setenv("STARTUNE", "on", 1);
    setenv("STARTUNE_SUMMARY", "off", 1);
    setenv("STARTUNE_WISDOM", "off", 1);
    star_start(star_forced_split);
    if (star_active)
        return;
    fprintf(stderr, "FAILED: startune is not active\n");
    PMPI_Abort(MPI_COMM_WORLD, 1);
}
