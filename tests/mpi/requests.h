/* SPDX-License-Identifier: BSD-3-Clause
 * What the scenarios of requests.c share. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "startune.h"

#include <stdio.h>

extern int rank, size, wrong;

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition) && wrong++ < 5)                                                                     \
            fprintf(stderr, "rank %d: line %d: not so: %s\n", rank, __LINE__, #condition);                   \
    } while (0)
#define GOOD(call) EXPECT((call) == STAR_SUCCESS)

struct scenario {
    const char *name; /* NULL: the last */
    void (*run)(void);
};
extern const struct scenario own_scenarios[], collective_scenarios[], fpenv_scenarios[];

#endif
