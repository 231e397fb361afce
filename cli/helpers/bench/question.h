/* SPDX-License-Identifier: BSD-3-Clause
 * What bench was asked for, and the methods that it compares. */
#ifndef STAR_CLI_BENCH_QUESTION_H
#define STAR_CLI_BENCH_QUESTION_H

#include "cli/helpers/measure/calls.h"

enum { SIZES_MOST = 64 };

struct question {
    struct call_kind kind;
    const char *methods, *nodes, *topology, *record;
    int64_t sizes[SIZES_MOST];
    int size_count, rounds, calls, seed;
    double compute, arrival;
    bool all, json;
};

struct contender {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native */
    double *samples;                   /* mean over ranks, seconds */
    bool wrong;
};

#endif
