/* SPDX-License-Identifier: BSD-3-Clause
 * How something is tuned: what the settings say. */
#pragma once

#include <stdbool.h>

enum star_strategy {
    STAR_EXHAUSTIVE, /* every candidate (the paper's basic AEOS) */
    STAR_GROUPED,    /* one candidate of each group, then the rest of the best group (its enhanced AEOS) */
    STAR_RACE,       /* all, in rounds that grow; the slow fall out; within a budget: strategies/race.c */
    STAR_HYPOTHESIS, /* ADCL's: which value of an attribute is best, until that is believed:
                        strategies/hypothesis.c */
    STAR_FACTORIAL,  /* two values of each attribute, in all combinations: strategies/factorial.c */
    STAR_HALVING,    /* in rounds of twice as many calls, in each of which the slower half falls out:
                      * strategies/halving.c
                      */
    STAR_STRATEGIES
};
enum star_estimator {
    STAR_MIN_OF_MEAN,          /* STAR-MPI: mean over ranks of each call, minimum over calls */
    STAR_MAX_OF_FILTERED_MEAN, /* ADCL: drop samples ≥ 3 × minimum unless they are most, mean, maximum over
                                  ranks */
    STAR_ESTIMATOR_AUTO        /* that of the strategy: the first for STAR-MPI's, else the second */
};

/* How the chosen method is watched. */
enum star_watching {
    STAR_WATCH_AUTO,   /* that of the strategy: a fixed bound for the papers', else the other */
    STAR_WATCH_CHANGE, /* whether it has become slower than it was: watch.c */
    STAR_WATCH_EPSILON /* whether it is slower than the second best was by more than epsilon */
};

/* What the times that ranks take for a call say. */
enum star_ranks {
    STAR_RANKS_MEET,  /* each waits in it for all others: times differ by who came last */
    STAR_RANKS_AHEAD, /* some may run ahead of others, so that calls overlap */
    STAR_RANKS_APART  /* each does its own part, and the program goes on with the slowest: requests */
};

struct star_tuning {
    enum star_watching watch;
    enum star_strategy strategy;
    enum star_estimator estimator;
    int iter;   /* counted calls of each candidate, ≥ 1; the race decides for itself */
    int warmup; /* calls after a change of method that do not count, ≥ 0; the race may decide to count them */
    int delta;      /* the monitoring factor δ at first, ≥ 1 */
    int delta_most; /* its bound */
    double epsilon; /* how much slower than the second best the chosen method may become */
    bool confirm;   /* before another method replaces native, measure both once more, side by side: native was
                     * measured first, when the program had just begun */
    int sample;     /* MONITOR: one call in so many is timed where they are short; 0: every call */
    double budget;  /* of the race: what exploring may cost, as a share of the time of native alone */
    int confidence; /* of a hypothesis: so much, ≥ 1, and it is believed */
    double apart;   /* times differ that are more than so many standard errors apart, ≥ 0 */
    double effect;  /* factorial: an attribute matters that explains this share of the variation */
    enum star_ranks ranks;
};

/* How the settings have things tuned that are of such RANKS. */
struct star_settings;
struct star_tuning star_tuning_of(const struct star_settings *settings, enum star_ranks ranks);
/* The one rule of what a call took, for operations and requests, in whatever is measured and remembered: what
 * it took on the slowest rank; else in the mean over ranks. */
bool star_tuning_by_slowest(const struct star_tuning *tuning);
