/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner of one context: STAR-MPI's Measure_Select and Monitor_Adapt (Faraj et al., ICS 2006, Figure 2),
 * and a race within a budget. No MPI in here. Whatever the caller's floating-point environment, it calculates
 * in the default one (util/fpenv.h).
 *
 * Every rank keeps a tuner; they stay in step because all they follow is counted calls and decisions. Times
 * are local until an agreement: each rank's figures (star_tuner_figures) are reduced, one rank — the leader —
 * turns them into a decision (star_tuner_decide), and all ranks apply that decision. Nothing else changes the
 * course.
 *
 *   MEASURE  runs each method of a list, so many counted calls each, then agrees
 *   MONITOR  runs one method for a period of counted calls, then agrees
 *
 * Where Figure 2 slips: the averages are those that were reduced, never the local totals (else ranks part
 * ways), and a period is counted call by call. Candidate 0 is native, and is measured first. */
#ifndef STAR_TUNER_TUNER_H
#define STAR_TUNER_TUNER_H

#include "util/prospect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum star_strategy {
    STAR_EXHAUSTIVE, /* every candidate (the paper's basic AEOS) */
    STAR_GROUPED,    /* one candidate of each group, then the rest of the best group (its enhanced AEOS) */
    STAR_RACE,       /* all, in rounds that grow; the slow fall out; within a budget: race.c */
    STAR_HYPOTHESIS, /* ADCL's: which value of an attribute is best, until that is believed: hypothesis.c */
    STAR_FACTORIAL,  /* two values of each attribute, in all combinations: factorial.c */
    STAR_HALVING, /* in rounds of twice as many calls, in each of which the slower half falls out: halving.c
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
    int warmup; /* calls after a change of method that are not counted, ≥ 0; the race may decide to count them
                 */
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

enum { STAR_CANDIDATES_MAX = 256, STAR_VISIT_MOST = 64 /* calls of the race's longest measuring */ };

/* What tells candidates from each other: VALUE[i × attributes + a] is candidate i's value of attribute a, −1
 * where it has no such attribute. Values that have an order are numbered in it. */
enum { STAR_ATTRIBUTES_MAX = 32 };
struct star_traits {
    int attributes;
    const int16_t *value;
};

enum star_stage { STAR_MEASURE, STAR_MONITOR };
enum star_reason {
    STAR_FIRST,     /* where tuning starts */
    STAR_SELECTED,  /* best of what was measured */
    STAR_GROUP,     /* its group was best: the rest of it is measured now */
    STAR_CONFIRM,   /* it and native are measured once more */
    STAR_KEPT,      /* still good: δ doubles */
    STAR_DISTURBED, /* slow on average but not lately: watched more closely */
    STAR_OVERTAKEN, /* the second best takes over */
    STAR_PAUSED,    /* a rank has switched tuning off: the best that is known, until all have it on again */
    STAR_RESUMED,   /* they have: it is measured anew */
    STAR_WRONG,     /* its result was not native's */
    STAR_UNABLE,    /* could not be built on every rank */
    STAR_WAITS,     /* the budget: until exploring goes on, the best that is known */
    STAR_ROUND,     /* it is still in the race */
    STAR_COMPARED,  /* it and those that differ from it in one attribute; or the corners of a design */
    STAR_REMAINS,   /* what was seen of the others does not rule it out */
    STAR_RECALLED,  /* it was best in earlier runs */
    STAR_REASONS
};
extern const char *const star_reason_names[];

struct star_decision {
    int32_t stage, reason;
    int64_t calls; /* that are counted: of each of the list, or of the period */
    int32_t delta;
    int32_t stride;                    /* MONITOR: one call in so many is timed; 0 is 1 */
    int32_t cold;                      /* 1: MEASURE: the first calls count too, tuning's `warmup` or not */
    int32_t count;                     /* of the list */
    double asked;                      /* seconds that the leader was asking for, while others waited */
    int16_t list[STAR_CANDIDATES_MAX]; /* MEASURE: what to measure; MONITOR: the chosen one */
};

/* What AUTO stands for. */
enum star_estimator star_estimator_of(enum star_strategy strategy, enum star_estimator estimator);

struct star_tuner;

/* GROUPS[i] is the group of candidate i; candidate 0 is native. TRAITS may be NULL; they are copied where the
 * strategy looks at them. LEADS: of the rank that decides, which alone keeps samples. NULL when out of
 * memory, and for more candidates or attributes than there may be. */
struct star_tuner *star_tuner_new(const struct star_tuning *tuning, const int *groups,
                                  const struct star_traits *traits, int count, bool leads);
/* Does a strategy look at traits? */
bool star_strategy_wants_traits(enum star_strategy strategy);
/* Before the first call: the candidates become those of LIST, COUNT different ones, in its order; the first
 * one stays the first. False when it is no such list: it changes nothing then. */
bool star_tuner_order(struct star_tuner *tuner, const int16_t *list, int count);

/* What earlier runs saw of a candidate, on this machine or one like it. */
struct star_recollection {
    int candidate;          /* as star_tuner_order has numbered them */
    double count;           /* of calls, less what has faded of them */
    double mean, deviation; /* seconds of one call, mean over ranks: their mean and standard deviation */
};
/* In its first calls many a candidate is faster than in the long run, as ranks run ahead: who was seen in
 * fewer calls than these is not known well enough to run at once. */
enum { STAR_LONG_RUN = 16 };
/* All ranks with the same data, before the first call and after star_tuner_order. What is remembered orders
 * the candidates. From a CONFIDENCE of a half on (race: of 0.001, where more than native is known, as it goes
 * on looking at others), the best of those that were seen in a long run runs at once: if a period of 100 µs
 * (1 to 16 calls, but 4 of the first) is as fast as remembered, beyond epsilon and noise, nothing is
 * explored. If three such periods in a row are not, which is noticed after 4 + 3 × 16 + warmup calls at most,
 * and where it is far slower after 6 + warmup, tuning begins as from the start, but for the order; and so it
 * does where native is remembered as more than 32 times slower than the best. False, and changes nothing: a
 * candidate that there is not, or twice, or figures that cannot be. */
bool star_tuner_recall(struct star_tuner *tuner, const struct star_recollection *known, int count,
                       double confidence);
/* Networks that are told apart, where the cost model says something. Of each there are two suppositions: what
 * it says of methods' times is right, or it is in proportion only. And what contexts of the same ranks have
 * found out: the logarithm of how likely each is. Zeroed: nothing. */
enum { STAR_NETWORKS = 39, STAR_SUPPOSITIONS = 2 * STAR_NETWORKS };
struct star_networks {
    double evidence[STAR_SUPPOSITIONS];
    int contexts; /* that have told something */
};
/* What the cost model says of EACH candidate. After star_tuner_order; the leader's. The race expects that
 * methods' times are to each other as these are on the network that it seems to be, until they are measured.
 * What it finds out of that it adds to SHARED, which outlives the tuner, and looks there too; NULL: nobody
 * else asks. */
void star_tuner_forecast(struct star_tuner *tuner, const struct star_prospect *each,
                         struct star_networks *shared);
/* FIRST[i] is the first of the candidates that are the same as I, or I: the race measures one of them. After
 * star_tuner_order; the leader's. */
void star_tuner_alike(struct star_tuner *tuner, const int *first);
void star_tuner_free(struct star_tuner *tuner);
size_t star_tuner_bytes(const struct star_tuner *tuner);

/* The candidate to run now. */
int star_tuner_candidate(const struct star_tuner *tuner);
/* The candidates that run from now until the next agreement, it and COUNT − 1 more. */
const int16_t *star_tuner_course(const struct star_tuner *tuner, int *count);
/* Will the next call be counted, or is it one of those after a change of method? */
bool star_tuner_counts(const struct star_tuner *tuner);
/* After a call that was recorded: so many need not be timed and recorded, if its candidate goes on. The same
 * on all ranks, and another number each time: programs call in loops. */
int star_tuner_gap(const struct star_tuner *tuner);
/* How many calls there are for each that is recorded, in the mean. */
int star_tuner_stride(const struct star_tuner *tuner);
/* Takes the time of one call of it. True: an agreement is due before the next call. */
bool star_tuner_record(struct star_tuner *tuner, double seconds);
/* The candidate of star_tuner_candidate cannot be run on every rank: drops it. True: an agreement is due. */
bool star_tuner_shut_out(struct star_tuner *tuner);

/* SECONDS that this rank has spent for tuning besides calls, on an occasion that all ranks have: agreements,
 * making plans. All since the last agreement count with the next one, as the rank has spent that spent least;
 * but not where one of them stalled, unless that happens twice. */
void star_tuner_spend(struct star_tuner *tuner, double seconds);
/* What is done once, such as predicting: it says nothing of what an occasion takes. The leader's count, at
 * once; but while it is consulted on credit, from the next agreement on. */
void star_tuner_spend_once(struct star_tuner *tuner, double seconds);
/* Of the leader: ASK is called with WHOM at each agreement, when what was measured is noted and nothing is
 * decided yet, in the default floating-point environment. It may find out what is worth to be known before,
 * tell the tuner that, and what it took. */
void star_tuner_consult(struct star_tuner *tuner, void (*ask)(void *whom), void *whom);
/* So many seconds that may take: half of the budget, of which something must be left. CREDIT: or, while
 * native alone has run, a call of it, as finding out comes before a visit of which nobody knows the price. */
double star_tuner_patience(const struct star_tuner *tuner, bool credit);
/* The seconds that were told while it was consulted at the last agreement. */
double star_tuner_asked(const struct star_tuner *tuner);

/* An agreement: what each rank tells, in one reduction. Over all ranks the sums are added up, and of MOST the
 * maximum is taken. */
struct star_figure {
    double sum, most;
};
size_t star_tuner_figures(const struct star_tuner *tuner);
/* Room for twice as many, a rank's own and the reduced ones, and for one more of each. */
struct star_figure *star_tuner_scratch(struct star_tuner *tuner);
/* Mends what this rank measured: see stall.h. */
void star_tuner_tell(struct star_tuner *tuner, struct star_figure *figures);
/* Leader only: keeps the reduced figures of RANKS ranks and decides. */
void star_tuner_decide(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                       struct star_decision *decision);
/* The same while a rank wants no tuning: nothing new is measured. */
void star_tuner_rest(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                     struct star_decision *decision);
/* So many bytes of a decision need be told: no list is longer. */
size_t star_tuner_decision_bytes(const struct star_tuner *tuner);
/* Leader: was what was measured last no measure, because the machine slept, a rank was stopped or a clock
 * stepped? Then the decision is to measure it once more; the second time it is believed. */
bool star_tuner_doubts(const struct star_tuner *tuner);
/* Leader: how far ranks' mean times were apart in the period of MONITOR that was told last: seconds; zeros
 * after MEASURE, and where the leader doubts. */
struct star_spread {
    double mean, most, least;
    double counted; /* MEAN or MOST: star_tuning_by_slowest */
};
struct star_spread star_tuner_spread(const struct star_tuner *tuner);
/* All ranks, the leader too. False when the decision is none (damaged): it changes nothing then. */
bool star_tuner_apply(struct star_tuner *tuner, const struct star_decision *decision);

/* What is known, for reports. Estimates and samples are the leader's. */
enum star_stage star_tuner_stage(const struct star_tuner *tuner);
int star_tuner_delta(const struct star_tuner *tuner);
/* The estimate of candidate I in seconds, or STAR_UNKNOWN_SECONDS when it was not measured. Of candidates
 * without samples it is what was recalled. */
double star_tuner_estimate(const struct star_tuner *tuner, int i);
/* Each counted call when it was last measured, mean over ranks, and their number; NULL and 0: never. Where
 * the slowest rank counts, as much longer as they took on it. */
const double *star_tuner_samples(const struct star_tuner *tuner, int i, int *count);
/* How often it was measured at all. */
int star_tuner_visits(const struct star_tuner *tuner, int i);
/* How long candidate 0's samples took on the leader itself, over what is said of them; 1 where there are
 * none. */
double star_tuner_part(const struct star_tuner *tuner);
bool star_tuner_is_shut_out(const struct star_tuner *tuner, int i);
/* Where a run ends: the candidate that was chosen, else, while some are measured still, the fastest of those
 * that were; −1: none was. */
int star_tuner_fastest(const struct star_tuner *tuner);

/* The estimators, for samples of one candidate on one rank. */
double star_filtered_mean(const double *samples, int count);

#endif
