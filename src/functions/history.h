/* SPDX-License-Identifier: BSD-3-Clause
 * The past of requests: what earlier runs saw of similar problems foretells which function of a function-set
 * is the best for a new one.
 *
 * Kept is how long each function took: a fact of wisdom (wisdom/fact.h), whose operation is the problem's
 * word and whose method the function's name. Rank 0 tells them when a choice ends, to the store and to
 * whoever asks later in the run; there a fact's weight halves in 90 days. Each new choice asks for them once,
 * before its first run (patterns/choice.c). What a problem is, and how far two are from each other, others
 * say: halo/problem.h of exchanges, and the program of its own functions (own_problem.h). No MPI in here, and
 * no files. All is calculated in the default floating-point environment (util/fpenv.h), while the program's
 * functions run in its own. */
#pragma once

#include "tuner/tuner.h"
#include "wisdom/fact.h"

#include <stdbool.h>

/* The functions of a set by their names. */
struct star_names {
    int count;
    const char *(*of)(const void *set, int function);
    const void *set;
};
/* How the wisdom calls function I: by its name, and, where another one has that too, its number. */
void star_history_name(const struct star_names *names, int i, char name[STAR_FACT_METHOD]);

/* That FUNCTION took so long for a problem, one of so many: so many calls, seconds of one. */
struct star_experience {
    int problem, function;
    double count, mean, deviation;
};
struct star_past_problem {
    char word[STAR_FACT_OPERATION];
};
struct star_past {
    const struct star_experience *known;
    int count, problems;
    const struct star_past_problem *problem;
};

/* What a problem of the past is to the new one. */
struct star_similar {
    double distance; /* in factors of 2; farther than STAR_HISTORY_FARTHEST: it is not asked */
    double growth;   /* so many times as many bytes are moved now */
};
enum { STAR_HISTORY_FARTHEST = 4 };

/* What the problems of PAST are to PROBLEM, whose kind they have: it fills in SIMILAR for each, and returns
 * false if that cannot be said. */
typedef bool star_weigher(const char *problem, const struct star_past *past, struct star_similar *similar,
                          const void *context);

/* What is foretold of a function. Count 0: nothing. */
struct star_foretold {
    double count, mean, deviation;
};

/* The mean that is as good as sure: it counts against a function to be seldom seen, as for the tuner. */
double star_history_most(double count, double mean, double deviation);

/* Of FUNCTIONS functions, from the problems of the past, which are as SIMILAR[i] to the new one. *BEST is the
 * function that the nearest four problems vote for, or −1: each votes for the function that was the fastest
 * there, if it knows two at least, of those of a long run where there are any; a vote counts 2^-d, where d is
 * how far the problem is. Returns how sure that is, from 0 to 1:
 *
 *   a 2^(-d/2) c / (c + 2): a is the share of the votes that BEST has, d how far the nearest problem is, and
 * c the calls that were seen of BEST: so one call, or a far problem, does not convince.
 *
 * A foretold mean is that of the nearest problem that knows the function; where more bytes move now, as many
 * times more, which is the most that it may take. Its count fades as its vote, and its deviation grows with
 * the distance, by a quarter of the mean for each factor of 2. */
double star_history_ask(const struct star_past *past, const struct star_similar *similar, int functions,
                        struct star_foretold *foretold, int *best);

/* What is asked for a new problem, on so many nodes, with functions of NAMES to choose from. */
struct star_inquiry {
    struct star_names names;
    const char *problem;
    int64_t nodes;
    struct star_past_problem *problems;
    struct star_experience *known;
    struct star_past past; /* of these two */
};
/* Adds a fact, if it is one of this kind of problems. Without memory something is not known. */
void star_history_take(const struct star_fact *fact, void *inquiry);
/* Then: LIST gets what is foretold, *COUNT recollections, of which one for each function has room; returns
 * how sure it is that *BEST, or −1, is the best. What was taken is freed. */
double star_history_recall(struct star_inquiry *inquiry, star_weigher *weigh, const void *context,
                           struct star_recollection *list, int64_t *count, int *best);
/* Of COUNT functions, of which so much was SEEN, is number I told to later runs? It was CHOSEN, or not. */
bool star_history_tells(const struct star_figures *seen, int count, int i, bool chosen);

/* The function that a problem votes for; −1: none. *MEAN is its time, where MEAN is not NULL. */
int star_history_winner(const struct star_past *past, int problem, double *mean);
/* Is a function's mean one of the best, at most so much slower than the BEST one? */
enum { STAR_HISTORY_WINDOW = 10 /* percent */ };
bool star_history_is_good(double mean, double best);
struct star_winner {
    int function;
    double mean;
};

/* How far a problem's vote reaches, in distances of a measure of the program's, of which nothing is known but
 * that DISTANCE[i] is how far problem i is from it (ADCL's "dmax"): as far as its winner was among the best,
 * at most a tenth slower than them, in all problems that are nearer. 0: not beyond itself. WINNER has
 * that of each problem, and WINS room for one of each. */
double star_history_reach(const struct star_past *past, const struct star_winner *winner, int problem,
                          const double *distance, bool *wins);
/* Such a distance from the new problem in factors of 2: 0 at 0, 2 where the reach ends, then INFINITY. */
double star_history_within(double distance, double reach);
