/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet: jobs of a site's programs, one after the other, with what runs learn, say and leave alone between
 * them; simulated with the tuner, the account and the rule of withdrawal that runs have.
 *
 * A program has one to three contexts, of traces of as many ranks, each with 100 to 20,000 calls a run, and
 * computes besides: calls take 3 % to 80 % of its time, and it takes 2 s at least. Its jobs come an hour to
 * two days after each other. On each program's machine methods differ from the trace by a factor of their own
 * (standard deviation 15 %), and in each job again (3 %), and all are slower or faster together (10 %). Drawn
 * evenly on a logarithmic scale, and normal on one.
 *
 * A job is hurt by what it takes beyond native, in means (run.h), as a share of what it would have taken. */
#pragma once

#include "replay/truth.h"
#include "tuner/tuning.h"
#include "util/why.h"

#include <stdbool.h>
#include <stdint.h>

struct star_fleet_ask {
    const struct star_truth *truth; /* of each of COUNT traces */
    int count;
    int64_t jobs, runs; /* RUNS of each program; the last one may have fewer */
    uint64_t seed;
    struct star_tuning tuning;
    bool predicts;
    int64_t days; /* the setting retry-after */
    void (*progress)(double part, void *context);
    void *context;
};

/* Jobs of which fewer, or at least, so many runs of the program are known. */
enum { STAR_FLEET_KNOWN = 3 };
struct star_fleet_jobs {
    int64_t jobs, hurt, left; /* hurt by more than STAR_FLEET_HURT; left alone */
    double worst;             /* of the one that was hurt most, as a share */
    double native, saved;     /* seconds in all: with native alone, and less than that */
    /* Of programs, as jobs of one are hurt together: how many have such jobs, and sums of squares of their
     * hurt ones, of all, and of the products of both. */
    int64_t programs;
    double hurt_squares, squares, products;
};
/* How many jobs, each of another program, would tell as much of the share that is hurt. */
double star_fleet_weight(const struct star_fleet_jobs *jobs);
extern const double star_fleet_hurt;
struct star_fleet {
    struct star_fleet_jobs before, known;
    int64_t programs, withdrawn; /* that were left alone at some time */
};

/* STAR_EMEMORY. */
int star_fleet(const struct star_fleet_ask *ask, struct star_fleet *fleet, struct star_why *why);
