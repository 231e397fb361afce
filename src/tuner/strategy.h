/* SPDX-License-Identifier: BSD-3-Clause
 * Strategies: which methods to measure, and which to choose. Only estimates go in, only decisions come out.
 */
#ifndef STAR_TUNER_STRATEGY_H
#define STAR_TUNER_STRATEGY_H

#include "tuner/tuner.h"

/* What was measured of a candidate when it last was: the leader's. */
struct star_visit {
    double mean;      /* seconds of a call: of ranks, and of calls */
    double deviation; /* of calls, as a share of the mean; outliers left out */
    int32_t calls, visits;
};

struct star_standing {
    int count;
    int *group;
    bool *shut_out, *measured;
    /* The leader's alone: what all ranks decide must not look at it. */
    double *estimate; /* NaN until measured */
    struct star_visit *visit;
    double seconds, mean; /* of all calls, and of tuning besides; of a call of the last period of MONITOR */
    double besides;       /* seconds of tuning besides calls, */
    int64_t occasions;    /* and how often there were some */
    int64_t calls;
    /* Of the race: who fell out; the round, from 0; how often it began again; it is decided. */
    bool *out;
    int32_t round, reopened;
    bool over;
};

bool star_standing_make(struct star_standing *standing, const int *groups, int count);
void star_standing_free(struct star_standing *standing);
size_t star_standing_bytes(const struct star_standing *standing);
bool star_decision_lists(const struct star_decision *decision, int candidate);
/* The fastest known but for EXCEPT (-1: of all); the earlier one of equals, so native rather than its equal;
 * -1: none. */
int star_standing_fastest(const struct star_standing *standing, int except);
/* Seconds of a call of native, or, where it is no candidate or cannot be run, of the first one that was
 * measured. */
double star_standing_native(const struct star_standing *standing);
/* Seconds of all that was done so far, over what native alone would have taken. */
double star_standing_cost(const struct star_standing *standing);

/* What a strategy decides. Each is written to DECISION. */
struct star_way {
    /* What all ranks start with, and again after a pause: native first. */
    void (*first)(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision);
    /* After MEASURE, which was COURSE. */
    void (*select)(struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision);
    /* After a period of MONITOR in which the chosen method took AVERAGE seconds, and LATELY in its last
     * calls. */
    void (*adapt)(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision);
};
extern const struct star_way star_exhaustive, star_grouped, star_race;
extern const struct star_way *const star_ways[STAR_STRATEGIES];

/* For all strategies: after a period of MONITOR, goes on, and waits longer for the next agreement. */
void star_strategy_keep(const struct star_tuning *tuning, const struct star_decision *course,
                        struct star_decision *decision);
/* While tuning is paused, and not all is measured: the best that is known. */
void star_strategy_rest(const struct star_standing *standing, const struct star_tuning *tuning,
                        const struct star_decision *course, struct star_decision *decision);
/* A candidate to measure instead of OUT, which is shut out, or -1: another one of its group, where the
 * strategy measures one of each group. The same on all ranks. */
int star_strategy_substitute(const struct star_standing *standing, const struct star_tuning *tuning,
                             const struct star_decision *course, int out);
/* Of how many calls one is timed where a call takes SECONDS. */
int32_t star_strategy_stride(const struct star_tuning *tuning, double seconds);

#endif
