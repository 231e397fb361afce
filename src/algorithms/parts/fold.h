/* SPDX-License-Identifier: BSD-3-Clause
 * Folding: algorithms for certain numbers of members serve any other when groups of neighbours have one
 * worker each: it takes in their vectors before, and gives them the result afterwards. Rabenseifner 1997. */
#pragma once

#include "algorithms/parts/team.h"

struct star_fold {
    struct star_team workers; /* the first ones of the groups; of one only when WORKS */
    struct star_team all;
    bool works;
    int first, end; /* the own group is FIRST…END−1 of ALL */
};

/* The largest power of RADIX that is not above SIZE. */
int star_fold_power(int size, int radix);
/* WORKERS groups of all ranks, as even as can be: no more than those in all. False when out of memory. */
bool star_fold_of(struct star_builder *b, const struct star_shape *shape, int workers,
                  struct star_fold *fold);
/* Where the worker then has its group's sum, reduced in the order of ranks: VECTOR itself in a group of one,
 * else a temporary. VECTOR is not changed. */
struct star_place star_fold_in(struct star_builder *b, const struct star_fold *fold, struct star_place vector,
                               int64_t bytes);
/* The worker's RESULT goes to those of all. */
void star_fold_out(struct star_builder *b, const struct star_fold *fold, struct star_place result,
                   int64_t bytes);
