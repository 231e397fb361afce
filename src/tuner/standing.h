/* SPDX-License-Identifier: BSD-3-Clause
 * A tuner's standing: what is known of all candidates, as strategies see it. */
#pragma once

#include "tuner/candidates.h"
#include "tuner/visit.h"

#include <stddef.h>

/* The chosen method in its periods: what it usually takes, by which share periods differ, and the sum that
 * says whether it has changed. CANDIDATE −1: none is watched. */
struct star_watch {
    int candidate;
    double level, spread, sum;
    int32_t periods;
};

/* Which value of an attribute is thought to be best, and how often that was seen more than not. */
struct star_belief {
    int32_t confidence;
    int16_t value;
    bool settled;
};

struct star_foreseen; /* tuner/networks.h */

struct star_standing {
    int count;
    int *group;
    bool *shut_out, *measured;
    int attributes; /* 0: none is known, or the strategy does not look at them */
    int16_t *trait; /* count × attributes */
    /* The leader's alone: what all ranks decide must not look at it. */
    double *estimate; /* STAR_UNKNOWN_SECONDS until measured */
    struct star_visit *visit;
    double seconds;     /* of all calls but native's, and of tuning besides */
    int64_t others;     /* so many calls were not native's */
    double mean, usual; /* of a call of the last period of MONITOR */
    double left;        /* seconds that the race might still spend when it last looked; infinite before */
    bool owing;         /* more was asked just now than the budget pays: the first visit is to pay it */
    struct star_account {
        double left, seconds;
        int64_t calls, others;
    } looked, since;   /* LEFT, and what else was counted by then; and what the budget is counted from */
    double noise;      /* variance of what was measured, over the variance supposed: in the mean of */
    int32_t looks;     /* so many times (star_evidence_noise) */
    double chances;    /* seconds that are likely to have been spent on those that were given one */
    double besides;    /* seconds of tuning besides calls, */
    int64_t occasions; /* and how often there were some */
    int64_t calls;
    bool *out; /* who fell out, where the strategy lets any */
    /* Seconds in earlier runs, on all ranks, or STAR_UNKNOWN_SECONDS. The best of them runs, not to be slower
     * than BOUND, and so often it was. */
    double *remembered, bound;
    double earlier;                 /* calls of those runs, about, while they are believed */
    struct star_foreseen *foreseen; /* by the cost model; NULL: it has said nothing yet */
    bool ahead;                     /* ranks may run ahead: calls overlap in the long run */
    int *alike;                     /* the first of those that are the same as it, or itself */
    bool trusting;
    int32_t misses; /* periods in which it was slower than that */
    int32_t round;  /* of halving, from 0 */
    struct star_watch watch;
    /* Of hypotheses: one of each attribute, and which sets have had their say: attributes × count, by the
     * first candidate of a set. */
    struct star_belief *belief;
    bool *told;
};

/* TRAITS may be NULL. False: out of memory, and what there is is to be freed. */
bool star_standing_make(struct star_standing *standing, const int *groups, const struct star_traits *traits,
                        int count);
void star_standing_free(struct star_standing *standing);
/* Bytes that it holds, but for what is foreseen. */
size_t star_standing_bytes(const struct star_standing *standing);
/* The candidates become those of LIST, COUNT of them: groups and traits, before anything was measured. */
void star_standing_order(struct star_standing *standing, const int16_t *list, int count);
/* Counts what native would have taken so far as what it took when the race last looked: it may take another
 * time from now on. */
void star_standing_settle(struct star_standing *standing);
/* The fastest known but for EXCEPT (-1: of all); the earlier one of equals, so native rather than its equal;
 * -1: none. */
int star_standing_fastest(const struct star_standing *standing, int except);
/* Are both known, and candidate I the faster one? */
bool star_standing_is_faster(const struct star_standing *standing, int i, int than);
/* It can be run, and has not fallen out. */
bool star_standing_runs(const struct star_standing *standing, int i);
/* Is there evidence of it? */
bool star_was_measured(const struct star_standing *standing, int i);

/* Candidate I's value of ATTRIBUTE, or −1. */
int star_trait(const struct star_standing *standing, int i, int attribute);
/* Have two candidates the attribute, and do they agree in all others? */
bool star_traits_agree_but(const struct star_standing *standing, int i, int j, int attribute);
