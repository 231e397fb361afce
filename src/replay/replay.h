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
#ifndef STAR_REPLAY_REPLAY_H
#define STAR_REPLAY_REPLAY_H

#include "replay/trace.h"
#include "tuner/networks.h"
#include "tuner/tuner.h"

/* What is true of a trace. */
struct star_truth {
    const struct star_trace *trace;
    int *group;
    int16_t *trait;
    int attributes, best;
    bool ahead;     /* ranks may run ahead in the operation */
    double *steady; /* seconds of a call of each method in the long run, */
    double *rest;   /* and in a burst's length behind its first ones */
    double *early;  /* of its first ones: call K of method M is early[M × early_calls + K] */
    int early_calls, burst_calls;
    double *share;          /* of each burst's time, that counts: what held it up is left out */
    double *room;           /* for bursts */
    double *foreseeing;     /* seconds that the cost model takes for each, where it says anything */
    int *alike;             /* the first of the methods that are the same as it, or itself */
    int *its_burst, *first; /* method M, with those that are the same, has the bursts its_burst[first[M]] to
                               its_burst[first[M + 1] − 1] */
};

/* STAR_EMEMORY. TRACE must outlive it. */
int star_truth_make(struct star_truth *truth, const struct star_trace *trace, struct star_why *why);
void star_truth_free(struct star_truth *truth);

/* What a run's time beyond the best method's is spent for. */
enum star_spent {
    STAR_SPENT_RUNNING, /* native, or a slower method that was chosen */
    STAR_SPENT_TRYING,  /* slower ones that are measured */
    STAR_SPENT_AGREEING,
    STAR_SPENT_PLANNING, /* plans are made */
    STAR_SPENT_ASKING,   /* of the cost model, and which methods are the same */
    STAR_SPENDINGS
};
extern const char *const star_spent_names[];

/* What one run has come to after so many calls. */
struct star_moment {
    int64_t calls;
    double seconds;               /* in means: see above; */
    double spent[STAR_SPENDINGS]; /* and of these what was beyond the best method's */
    int chosen;                   /* the method that runs when none is tried */
    int64_t settled, switches; /* since which call it has been one as good as the best; changes of method */
};

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
};

/* How near the best a method is as good. */
extern const double star_replay_near;

/* Fills in MOMENTS, whose CALLS are given, ascending. STAR_EMEMORY. */
int star_replay(const struct star_replay_run *run, struct star_moment *moments, int count,
                struct star_why *why);
/* The same of a run in which each method is planned and called once, in the trace's order; from then on the
 * best one runs, without an agreement: what must be paid by whoever tries all, were the first call enough to
 * know. */
void star_replay_once(const struct star_truth *truth, struct star_moment *moments, int count);
/* The time of a run over that of the best method, less one. */
double star_moment_regret(const struct star_truth *truth, const struct star_moment *moment);
/* And the part of it that was spent for WHAT. */
double star_moment_share(const struct star_truth *truth, const struct star_moment *moment,
                         enum star_spent what);
/* How much slower than the best a method is, as a share. */
double star_truth_distance(const struct star_truth *truth, int method);

#endif
