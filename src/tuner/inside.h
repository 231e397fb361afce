/* SPDX-License-Identifier: BSD-3-Clause
 * What a tuner is made of: for tuner.c, which follows decisions, and decide.c, which makes them. */
#pragma once

#include "tuner/decide.h"
#include "tuner/period.h"
#include "tuner/strategies.h"

/* Calls since the last agreement that followed a change of method, and are not counted: all of them, and
 * those that were not native's, which took SECONDS on this rank. */
struct star_uncounted {
    int64_t calls, others;
    double seconds;
};

struct star_tuner {
    struct star_tuning tuning;
    struct star_standing
        standing; /* kept by all ranks as far as groups and shut-outs go; estimates by the leader */
    struct star_decision course; /* what is being done */
    int32_t position;            /* in the list of MEASURE */
    int64_t counted;             /* MEASURE: calls of this candidate; MONITOR: calls of this period */
    int32_t skip;                /* calls still not to be counted */
    double *local;               /* this rank's samples of the list, CALLS each */
    struct star_period period;   /* this rank's times of it; LOCAL has its last ITER calls */
    bool doubts;                 /* leader: what was measured last was none, and is being measured again, */
    double doubted;              /* and took so many seconds, mean over ranks and the list */
    struct star_spread spread;   /* leader: star_tuner_spread's */
    double spending;             /* by this rank on occasions besides calls, since the last agreement, */
    int64_t spendings;           /* as many; the leader's count */
    double spent;                /* leader: on the longest of those before that, about */
    struct star_uncounted uncounted;
    double least;                /* seconds of the shortest call that was counted here */
    double part;                 /* leader: of what the first one takes, the mean over ranks, its own */
    double *samples;             /* leader: star_tuner_samples, room for `most_samples` of each candidate */
    int32_t *sampled;            /* and how many there are */
    uint64_t random;             /* all ranks': for gaps */
    struct star_figure *scratch; /* room for an agreement, so that none can fail for want of it */
    void (*ask)(void *whom);     /* leader: star_tuner_consult's */
    void *whom;
    bool asking;
    double asked;    /* seconds that asking took when it last did */
    double shortest; /* leader: star_tuner_least's */
    double waited;   /* star_tuner_waited's */
    double owed;     /* seconds of tuning that count from the next agreement on */
};

/* The first figures, maxima alone: less than nothing, by what this rank has spent since the last agreement;
 * and what calls that are not counted took, or less than nothing by that. */
enum { FIGURE_SPENT, FIGURE_UNCOUNTED, FIGURES_FIRST };
/* Behind them, of a period: mean, mean of its end, the usual one; as maxima the first two without outliers,
 * and how many calls took longer than they count for that, and the mean, and less than nothing by it. */
enum {
    FIGURE_MEAN = FIGURES_FIRST,
    FIGURE_LATELY,
    FIGURE_USUAL,
    FIGURE_LONGER,
    FIGURE_SLOWEST,
    FIGURE_FASTEST,
    FIGURES_OF_PERIOD
};
/* Or the sums of the list's samples, one behind the other; as maxima, of each candidate, the mean without
 * outliers, behind those of all the usual ones, and behind these the usual ones of the first halves. */
enum { MAXIMA_OF_CANDIDATE = 3 };

/* Calls of one candidate that are measured at one time, at most. */
static inline size_t star_tuner_most_samples(const struct star_tuning *tuning)
{
    int most = star_ways[tuning->strategy]->visit_most;
    return (size_t)(tuning->iter > most ? tuning->iter : most);
}

/* The last calls of a period. */
static inline int64_t star_tuner_tail(const struct star_tuner *tuner)
{
    return tuner->course.calls < tuner->tuning.iter ? tuner->course.calls : tuner->tuning.iter;
}

static inline const struct star_way *star_tuner_way(const struct star_tuner *tuner)
{
    return star_ways[tuner->tuning.strategy];
}
