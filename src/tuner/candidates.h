/* SPDX-License-Identifier: BSD-3-Clause
 * What a tuner is told of its candidates. */
#pragma once

#include <stdint.h>

enum {
    STAR_CANDIDATES_MAX = 256,
    STAR_VISIT_MOST = 64 /* calls of the race's longest measuring */
};

/* What tells candidates from each other: VALUE[i × attributes + a] is candidate i's value of attribute a, −1
 * where it has no such attribute. Values that have an order are numbered in it. */
enum { STAR_ATTRIBUTES_MAX = 32 };
struct star_traits {
    int attributes;
    const int16_t *value;
};

/* What earlier runs saw of a candidate, on this machine or one like it. */
struct star_recollection {
    int candidate;          /* as star_tuner_order has numbered them */
    double count;           /* of calls, less what has faded of them */
    double mean, deviation; /* seconds of one call, mean over ranks: their mean and standard deviation */
};
/* In its first calls many a candidate is faster than in the long run, as ranks run ahead: who was seen in
 * fewer calls than these is not known well enough to run at once. */
enum { STAR_LONG_RUN = 16 };
