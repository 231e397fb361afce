/* SPDX-License-Identifier: BSD-3-Clause
 * What is true of a trace, and what a run has come to by that. */
#pragma once

#include "replay/trace.h"

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

/* What one run has come to after so many calls. */
struct star_moment {
    int64_t calls;
    double seconds;               /* in means: see above; */
    double spent[STAR_SPENDINGS]; /* and of these what was beyond the best method's */
    int chosen;                   /* the method that runs when none is tried */
    int64_t settled, switches; /* since which call it has been one as good as the best; changes of method */
};
/* The time of a run over that of the best method, less one. */
double star_moment_regret(const struct star_truth *truth, const struct star_moment *moment);
/* And the part of it that was spent for WHAT. */
double star_moment_share(const struct star_truth *truth, const struct star_moment *moment,
                         enum star_spent what);
/* Of so many calls of METHOD in a row, in means. */
double star_truth_seconds(const struct star_truth *truth, int method, int64_t calls);
/* How much slower than the best a method is, as a share. */
double star_truth_distance(const struct star_truth *truth, int method);
