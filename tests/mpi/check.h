/* SPDX-License-Identifier: BSD-3-Clause
 * What tests that look inside of the runtime check with: a failure is told with the rank, the first ten of a
 * rank. */
#ifndef STAR_TESTS_MPI_CHECK_H
#define STAR_TESTS_MPI_CHECK_H

#include <stdio.h>

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition) && failures++ < 10) {                                                               \
            fprintf(stderr, "FAILED: rank %d of %d: ", rank, size);                                          \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fprintf(stderr, "\n");                                                                           \
        }                                                                                                    \
    } while (0)

#endif
