/* SPDX-License-Identifier: BSD-3-Clause
 * A made-up cluster for the search: methods of alltoall whose true times are known, with noise, on a clock
 * that goes as fast as they say. */
#pragma once

#include "search/search.h"

enum { MADE_UP_METHODS = 64 };

struct made_up {
    int methods;
    struct star_method method[MADE_UP_METHODS];
    /* Seconds of method J for P ranks: start[j] × P^steps[j] + bytes × byte[j] × P^volume[j]; beyond 8 KiB
     * the start counts jump[j] times. */
    double start[MADE_UP_METHODS], steps[MADE_UP_METHODS], byte[MADE_UP_METHODS], volume[MADE_UP_METHODS],
        jump[MADE_UP_METHODS];
    double noise;  /* the spread of a usual call, as a share */
    double spikes; /* the share of calls that take 2 to 10 times as long */
    double clock, ends;
    int64_t most; /* bytes beyond it cannot be measured */
    uint64_t random;
    struct star_trial trial;
    const struct star_method *entered;
    int runs, wrong; /* WRONG: this method's result is; negative: none's */
};

/* METHODS of alltoall, with seeded times. */
void make_up(struct made_up *world, int methods, uint64_t seed);
double truth(const struct made_up *world, int method, int ranks, int64_t bytes);
double best_truth(const struct made_up *world, int ranks, int64_t bytes);
int number_of(const struct made_up *world, const struct star_method *method);
struct star_meter made_up_meter(struct made_up *world);
