/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions: what all ranks do until the next agreement. */
#pragma once

#include "tuner/candidates.h"
#include "tuner/tuning.h"

enum star_stage { STAR_MEASURE, STAR_MONITOR };
enum star_reason {
    STAR_FIRST,     /* where tuning starts */
    STAR_SELECTED,  /* best of what was measured */
    STAR_GROUP,     /* its group was best: the rest of it is measured now */
    STAR_CONFIRM,   /* it and native are measured once more */
    STAR_KEPT,      /* still good: δ doubles */
    STAR_DISTURBED, /* slow on average but not lately: watched more closely */
    STAR_OVERTAKEN, /* the second best takes over */
    STAR_PAUSED,    /* a rank has switched tuning off: the best that is known, until all have it on again */
    STAR_RESUMED,   /* they have: it is measured anew */
    STAR_WRONG,     /* its result was not native's */
    STAR_UNABLE,    /* could not be built on every rank */
    STAR_WAITS,     /* the budget: until exploring goes on, the best that is known */
    STAR_ROUND,     /* it is still in the race */
    STAR_COMPARED,  /* it and those that differ from it in one attribute; or the corners of a design */
    STAR_REMAINS,   /* what was seen of the others does not rule it out */
    STAR_RECALLED,  /* it was best in earlier runs */
    STAR_REASONS
};
extern const char *const star_reason_names[];

struct star_decision {
    int32_t stage, reason;
    int64_t calls; /* that are counted: of each of the list, or of the period */
    int32_t delta;
    int32_t stride;                    /* MONITOR: one call in so many is timed; 0 is 1 */
    int32_t cold;                      /* 1: MEASURE: the first calls count too, tuning's `warmup` or not */
    int32_t count;                     /* of the list */
    double asked;                      /* seconds that the leader was asking for, while others waited */
    double least;                      /* seconds of what star_tuner_least tells */
    int16_t list[STAR_CANDIDATES_MAX]; /* MEASURE: what to measure; MONITOR: the chosen one */
};

/* Does its list name the candidate? */
bool star_decision_lists(const struct star_decision *decision, int candidate);
/* Calls after each change of method in it that are not counted. */
static inline int star_decision_warmup(const struct star_decision *decision, const struct star_tuning *tuning)
{
    return decision->cold ? 0 : tuning->warmup;
}
/* Its calls in a row, of which one in STRIDE is timed. */
int64_t star_decision_row(const struct star_decision *decision);
/* Of how many calls that take SECONDS one is timed, once a method is chosen: of short ones one in SAMPLE, and
 * each where nobody knows what they take. */
int32_t star_stride_of(int64_t sample, double seconds);
