/* SPDX-License-Identifier: BSD-3-Clause
 * Replay: a program's run simulated with the calls of a trace and the real tuner, so that strategies are
 * compared on the same noise, and the best method is known.
 *
 * Calls are drawn in blocks: a method's run begins with the first call of one of its bursts, goes on to the
 * burst's end and then through others behind their early calls, of rounds near the one that the run has come
 * to. The rounds go by as fast as they were recorded, from one drawn at random; so what changes in the first
 * calls, noise in bursts and drift are as they were.
 *
 * What a run costs is counted in means over all bursts, and in agreements and plans; so chance plays no part
 * in it but for what the tuner did. Of a method's calls in a row the first ones, one eighth of a burst, cost
 * what they took, those behind them in a burst's length the mean of those behind them, and all further ones
 * the mean of all: ranks that run ahead do in a burst's first calls what they need not do in its last ones.
 * The best is the method of which that mean is the least. No burst counts as more than three medians of its
 * method's. All are the times of the rank on which the method's calls take longest: others may run ahead of
 * it, but wait for it in the end. */
#pragma once

#include "replay/truth.h"
#include "subject/balance.h"
#include "tuner/networks.h"
#include "tuner/tuner.h"

extern const char *const star_spent_names[];

/* What a run saw of each candidate, as wisdom keeps it. */
struct star_replay_seen {
    struct star_recollection of[STAR_CANDIDATES_MAX];
    int count;
};

struct star_replay_run {
    const struct star_truth *truth;
    struct star_tuning tuning;
    uint64_t seed;
    const struct star_prospect *forecast; /* of each method, or NULL */
    struct star_networks *networks;       /* what other contexts have found out; NULL: there are none */
    const struct star_replay_seen *known; /* NULL: no wisdom */
    double confidence;
    struct star_replay_seen *seen; /* NULL: nobody asks */
    const double *scale;           /* of each method, times what the trace says; NULL: as it says */
    /* Of each rank: gets what the rank says of the context at the end, as a run does; NULL: nobody asks. */
    struct star_balance *account;
};

/* How near the best a method is as good. */
extern const double star_replay_near;

/* Fills in MOMENTS, whose CALLS are given, ascending. STAR_EMEMORY. */
int star_replay(const struct star_replay_run *run, struct star_moment *moments, int count,
                struct star_why *why);
/* A run in which each method is planned and called once, in the trace's order; from then on the best one
 * runs, without an agreement: what must be paid by whoever tries all, were the first call enough to know. */
void star_replay_once(const struct star_truth *truth, struct star_moment *moments, int count);
