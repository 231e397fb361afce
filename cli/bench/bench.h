/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune bench`: what was asked for, and the figures.
 */
#ifndef STAR_CLI_BENCH_H
#define STAR_CLI_BENCH_H

#include "measure/measure.h"
#include "runtime/state.h"
#include "util/text.h"

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

/* record.c: a trace of all calls, written at the end, where --record asks for one; else nothing happens. Of
 * each size all methods are named before the first burst, and MAKING is what it took to make their plans;
 * what the cost model says of them for SHAPE is written, too, where ranks are on several nodes. */
void record_size(const struct question *question, const struct ground *ground, int64_t bytes);
void record_method(const struct star_method *method, const struct star_shape *shape, double making);
/* TIMES: of this rank. Collective. */
void record_burst(int method, const double *times, int count);
/* False after saying why it could not be written; on rank 0. */
bool record_end(const struct question *question);

/* figures.c: before all sizes (KNOWN: with limits), of one size (its samples sorted; LIMIT: the least seconds
 * that the network allows, 0 where it is not known), and behind all. */
void figures_begin(struct star_text *text, const struct question *question, int ranks, bool known);
void figures_add(struct star_text *text, const struct question *question, int64_t bytes, double limit,
                 const struct contender *contenders, int count, int samples);
void figures_end(struct star_text *text, const struct question *question);

#endif
