/* SPDX-License-Identifier: BSD-3-Clause
 * Strategies: which methods to measure, and which to choose. Only estimates go in, only decisions come out.
 */
#ifndef STAR_TUNER_STRATEGY_H
#define STAR_TUNER_STRATEGY_H

#include "tuner/tuner.h"
#include "util/seconds.h"

/* The race's lists are no longer. */
enum { STAR_RACE_LIST = 4 };

/* What was measured of a candidate so far: LEVEL is the mean of the logarithm of its seconds, WEIGHT one over
 * its variance; 0: nothing. LONGEST: the most calls in a row, LATELY: since the
 * machine is as it is; AT: when it was last measured, in calls. FIRST
 * is the logarithm of what was seen first, in FIRST_CALLS calls in a row, 0 where that is no longer so;
 * PIPELINED: ranks were far apart then, so that later calls may overlap. */
struct star_evidence {
    double level, weight, first;
    int64_t longest, lately, at, first_calls;
    bool pipelined;
};

/* Of a candidate's calls those that took far longer than usual, by star_usual: what CALLS of its calls
 * usually took, all together, by how much they took longer, and how many LONGER ones there were. EVER: so
 * many calls were forgiven; RAN: so many ran since, measured or not, of which the CALLS are the last ones. */
struct star_tail {
    float calls, usual, excess, longer;
    double ran, ever;
};

/* What was measured of a candidate when it last was: the leader's. */
struct star_visit {
    double mean;      /* seconds of a call: of ranks (with AHEAD: of the slowest), and of calls */
    double usual;     /* the same, outliers counted by star_usual; */
    double later;     /* with AHEAD of the later half: by so much the slowest rank came later in it */
    double apart;     /* with AHEAD: by which share less ranks took in the mean than the slowest one */
    double deviation; /* of calls, as a share of the mean; outliers left out */
    int32_t calls, visits, ever; /* VISITS since tuning has begun, or was resumed */
    struct star_evidence all;    /* what all visits, and its periods, told */
    struct star_tail tail;       /* and of long calls */
};

/* How much a call of SECONDS counts, of CALLS in a row of which the fastest took LEAST: one that was held up
 * counts, for there are methods that often are, but not for so much that a single one decides. */
double star_usual(double seconds, double least, int64_t calls);
/* But where so many of CALLS took longer than that, it is the method's way. */
bool star_is_usual(int64_t longer, int64_t calls);
/* The mean of what the first PART of CALLS count. */
double star_usual_mean(const double *samples, int calls, int part);

/* Notes what one more visit told: SAMPLES as in star_tuner_samples. */
void star_visit_note(struct star_visit *visit, const double *samples, int calls);

/* Notes CALLS calls that usually took USUAL seconds each, and EXCESS more in the mean, because of LONGER
 * ones; they are those that were timed of ROW calls. */
void star_tail_note(struct star_tail *tail, double calls, double row, double usual, double excess,
                    double longer);

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

/* On each network that it may be what is foreseen of each candidate, the logarithm of its seconds (LEVEL, of
 * candidate i on network n at i × STAR_NETWORKS + n, where it SAYS something of it), and the MEAN and the
 * LEAST of those; and how likely each supposition is by what was measured here, as it was last TOLD to SHARED
 * (NULL: nobody). */
struct star_foreseen {
    bool says[STAR_CANDIDATES_MAX];
    double mean[STAR_NETWORKS], least[STAR_NETWORKS], told[STAR_SUPPOSITIONS];
    struct star_networks *shared;
    bool tells; /* it is one of the contexts that SHARED counts */
    float level[];
};

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

/* TRAITS may be NULL. */
bool star_standing_make(struct star_standing *standing, const int *groups, const struct star_traits *traits,
                        int count);
void star_standing_free(struct star_standing *standing);
/* What the cost model says of EACH; where there is no memory for that, as if it said nothing. */
void star_standing_foresee(struct star_standing *standing, const struct star_prospect *each,
                           struct star_networks *shared);
size_t star_standing_bytes(const struct star_standing *standing);
/* The candidates become those of LIST, COUNT of them: groups and traits, before anything was measured. */
void star_standing_order(struct star_standing *standing, const int16_t *list, int count);
/* What native would have taken so far is what it took when the race last looked: it may take another time
 * from now on. */
void star_standing_settle(struct star_standing *standing);
bool star_decision_lists(const struct star_decision *decision, int candidate);
/* Calls after each change of method in it that are not counted. */
static inline int star_decision_warmup(const struct star_decision *decision, const struct star_tuning *tuning)
{
    return decision->cold ? 0 : tuning->warmup;
}
/* Its calls in a row, of which one in STRIDE is timed. */
int64_t star_decision_row(const struct star_decision *decision);
/* The fastest known but for EXCEPT (-1: of all); the earlier one of equals, so native rather than its equal;
 * -1: none. */
int star_standing_fastest(const struct star_standing *standing, int except);
/* Are both known, and candidate I the faster one? */
bool star_standing_is_faster(const struct star_standing *standing, int i, int than);

/* Of traits: candidate I's value of ATTRIBUTE, or −1; and whether two candidates have the attribute, and
 * agree in all others. */
int star_trait(const struct star_standing *standing, int i, int attribute);
bool star_traits_agree_but(const struct star_standing *standing, int i, int j, int attribute);
/* It can be run, and has not fallen out. */
bool star_standing_runs(const struct star_standing *standing, int i);

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
    bool by_groups; /* measures one candidate of each group, then the rest of the best one */
    bool by_traits;
    enum star_estimator estimator; /* what AUTO stands for */
    enum star_watching watch;
};
extern const struct star_way star_exhaustive, star_grouped, star_race, star_hypothesis, star_factorial,
    star_halving;
extern const struct star_way *const star_ways[STAR_STRATEGIES];

/* What all begin with where native alone is measured first, or the first one that can be run: nobody is out,
 * and nobody was visited. */
void star_strategy_begin_alone(struct star_standing *standing, const struct star_tuning *tuning,
                               struct star_decision *decision);
/* Lists those of WANTED (NULL: all) that run and were not visited, for REASON. False: there are none. */
bool star_strategy_list(const struct star_standing *standing, const struct star_tuning *tuning,
                        const bool *wanted, enum star_reason reason, struct star_decision *decision);
/* The end of measuring: the fastest, once that is confirmed. After a period of MONITOR: star_way's adapt,
 * where the second best takes over from a chosen one that has become slow. */
void star_strategy_choose(const struct star_standing *standing, const struct star_tuning *tuning,
                          const struct star_decision *course, enum star_reason reason,
                          struct star_decision *decision);
void star_strategy_adapt(struct star_standing *standing, const struct star_tuning *tuning,
                         const struct star_decision *course, double average, double lately,
                         struct star_decision *decision);

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
/* Memory: star_tuner_recall, and the decision to begin with. */
bool star_memory_take(struct star_standing *standing, const struct star_tuning *tuning,
                      const struct star_recollection *known, int count, double confidence,
                      struct star_decision *decision);
/* After a period in which the one that is remembered as best took AVERAGE seconds, while TRUSTING. False: it
 * has decided what to do instead of monitoring it. */
bool star_memory_holds(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct star_decision *course, double average, struct star_decision *decision);
/* I was measured, and took SECONDS: where what is remembered of it is far from that, it is forgotten for
 * that, so that it says nothing of others. */
void star_memory_correct(struct star_standing *standing, int i, double seconds);
/* What candidate I may be expected to take: if nothing is remembered of it, as much as native; 0 if of that
 * neither. */
double star_memory_promise(const struct star_standing *standing, int i);
/* Orders the list: native, then who was fast in earlier runs. */
void star_memory_order(const struct star_standing *standing, struct star_decision *decision);

/* Expecting: what is thought of a candidate's calls in the long run, before it is measured and after: the
 * logarithm of their seconds is normally distributed around MEAN. */
struct star_outlook {
    double mean, variance;
};
/* Notes that CALLS calls, of ROW in a row, took SECONDS each; the first time as they were visited. */
void star_expect_note(struct star_standing *standing, int candidate, double seconds, int64_t calls,
                      int64_t row);
/* By how much the first call of a pipeline takes longer than later ones, as a logarithm; of more calls in a
 * row, so much less as the root of their number is larger. */
extern const double star_early_usual;
/* Is there evidence of it? */
bool star_was_measured(const struct star_standing *standing, int i);
/* What has become of all evidence after something has changed: little is left. */
void star_expect_doubt(struct star_standing *standing);
/* Of each candidate; there must be one of which there is evidence. */
void star_expect(const struct star_standing *standing, struct star_outlook *each);
/* The seconds to be expected. */
double star_expected(const struct star_outlook *expectation);
/* Works out FORESEEN: what the cost model's word of EACH is on all networks. */
void star_networks_begin(struct star_standing *standing, const struct star_prospect *each);
/* Does the cost model say anything of candidate I? */
bool star_is_foreseen(const struct star_standing *standing, int i);
/* Of each that the cost model foresees: the logarithm of its seconds, over the networks that it may be, by
 * what was MEASURED; and how far these are apart. NATIVE is what that takes, where it is not one of them
 * (NULL: it is, or was not measured). STANDING has FORESEEN. What was measured is told to those who share it.
 */
void star_networks_expect(const struct star_standing *standing, const struct star_outlook *measured,
                          const struct star_outlook *native, struct star_outlook *each);
/* How much slower than native, as a logarithm, methods are expected to be that nothing is known of. */
extern const double star_behind_native;
/* How likely it is that calls overlap in the long run: of candidates whose first ones were not seen, the
 * share of those of which they were, but for native; and of the one that ALL is of, where of others it is
 * USUAL. */
double star_usual_overlap(const struct star_standing *standing);
double star_overlap(const struct star_evidence *all, double usual);
/* The seconds to be expected of each of CALLS calls in a row: where they OVERLAP they take longer at first.
 */
double star_expected_at_first(const struct star_evidence *all, const struct star_outlook *expectation,
                              double overlap, double calls);
/* By how many seconds a call may be expected to be faster than SECONDS, once a visit of CALLS calls (0: of
 * any number) has told more of the candidate, which is not taken if it is slower then. Where they OVERLAP in
 * the long run a few calls tell less. */
double star_expected_gain(const struct star_outlook *expectation, double seconds, int64_t calls,
                          double overlap);

/* Long calls: by how many seconds I's calls take longer in the mean than usual because of them, beyond what
 * others meet in as much time. */
double star_tail_of(const struct star_standing *standing, int i);
/* If I's long calls eat up what it usually saves, so that it takes more than native's SECONDS, and native has
 * not run for long enough to tell whether they are the machine's noise: how many calls it still has to, in
 * one visit. */
int64_t star_tail_unknown(const struct star_standing *standing, int i, double seconds);
/* The long calls of those that have not run for long are forgotten, where LEFT seconds pay another trial, and
 * become costs. */
void star_tails_forgive(struct star_standing *standing, double left);

/* Watching: what to think of CANDIDATE, which was chosen, after a period in which it took AVERAGE seconds,
 * and LATELY in the last calls; before its estimate is changed. */
enum star_verdict { STAR_AS_USUAL, STAR_DOUBTFUL, STAR_CHANGED };
enum star_verdict star_watch_judge(struct star_standing *standing, const struct star_tuning *tuning,
                                   int candidate, double average, double lately);
/* What the second best takes, and epsilon more. */
double star_watch_bound(const struct star_standing *standing, const struct star_tuning *tuning,
                        int candidate);
/* The delta after a doubtful period: the first one again; but while it stays doubtful it doubles. */
int32_t star_watch_closer(const struct star_tuning *tuning, const struct star_decision *course);
/* CALLS, or the longest period after which a change is noticed soon enough. */
int64_t star_watch_period(const struct star_tuning *tuning, int64_t calls);

/* Of how many calls that take SECONDS one is timed, once a method is chosen: of short ones one in SAMPLE, and
 * each where nobody knows what they take. */
int32_t star_stride_of(int64_t sample, double seconds);

#endif
