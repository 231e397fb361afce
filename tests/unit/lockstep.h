/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner in lock step on several simulated ranks, with made-up times. */
#ifndef TESTS_LOCKSTEP_H
#define TESTS_LOCKSTEP_H

#include "expect.h"
#include "tuner/tuner.h"

enum { RANKS_MAX = 8, CANDIDATES = 64, DRAWN_MOST = 32 };

struct world {
    struct star_tuner *ranks[RANKS_MAX];
    struct star_tuning tuning;
    int size, count, leader;
    int groups[CANDIDATES];
    double base[CANDIDATES]; /* what a candidate really takes */
    double agreeing;         /* what an agreement takes */
    double waiting;          /* and how long all but the last rank wait in it for that one */
    double changing;         /* for a program's own times: what a change of method takes */
    bool unable[CANDIDATES];
    double (*seconds)(struct world *world, int candidate, int rank);
    long calls, agreements, calls_of[CANDIDATES];
    struct star_decision last;
    uint64_t seed;
};

struct star_tuning usual(enum star_strategy strategy);
/* The race as the settings have it. */
struct star_tuning racing(double budget);
void start(struct world *world, int size, struct star_tuning tuning, const int *groups, const double *base,
           int count);
void start_with_traits(struct world *world, int size, struct star_tuning tuning, const int *groups,
                       const struct star_traits *traits, const double *base, int count);
/* Groups as the repository would number them: native alone, the others anyhow. */
void start_random(struct world *world, uint64_t *seed);
void finish(struct world *world);

/* Times: just what a candidate really takes; far from it. */
double really(struct world *world, int candidate, int rank);
double wild(struct world *world, int candidate, int rank);

int current(const struct world *world);
enum star_stage stage(const struct world *world);
int delta(const struct world *world);
struct star_tuner *leader(const struct world *world);

/* One call on all ranks, or the discovery that its candidate cannot be run. */
void step(struct world *world);
void run(struct world *world, long steps);
/* Until a decision was taken, or a method chosen; return the calls made. */
long run_to_decision(struct world *world);
long run_to_choice(struct world *world);

/* Native alone, then groups of two, one and three. */
static const int seven_groups[] = {0, 1, 1, 2, 3, 3, 3};
static const double seven_times[] = {7e-3, 6e-3, 5e-3, 4e-3, 3e-3, 2e-3, 8e-3};

#endif
