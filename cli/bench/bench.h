/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune bench`: what was asked for, and the figures.
 */
#ifndef STAR_CLI_BENCH_H
#define STAR_CLI_BENCH_H

#include "measure/measure.h"
#include "util/text.h"

enum { SIZES_MOST = 64 };

struct question {
    struct call_kind kind;
    const char *methods, *nodes, *topology;
    int64_t sizes[SIZES_MOST];
    int size_count, rounds, calls, seed;
    double compute;
    bool all, json;
};

struct contender {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native */
    double *samples;                   /* mean over ranks, seconds */
    bool wrong;
};

/* figures.c: before all sizes (KNOWN: with limits), of one size (its samples sorted; LIMIT: the least seconds
 * that the network allows, 0 where it is not known), and behind all. */
void figures_begin(struct star_text *text, const struct question *question, int ranks, bool known);
void figures_add(struct star_text *text, const struct question *question, int64_t bytes, double limit,
                 const struct contender *contenders, int count, int samples);
void figures_end(struct star_text *text, const struct question *question);

#endif
