/* SPDX-License-Identifier: BSD-3-Clause
 * A race of methods at one place, a communicator size and bytes: who runs next, who is out, and when it is
 * over.
 *
 * All run in rounds, each once a round, in random order. The first run of each is cold and does not count,
 * unless the racer is out by it: a processor that was taken away for some milliseconds makes the
 * fastest slow, so short ones are given one more run before they are judged. A race that prunes lets go
 * whoever is clearly slower than the fastest: after the cold run what took ten times as long, then by factors
 * that shrink, then by the rank-sum test; and of many that are alike it keeps a few. One that does not prune
 * runs each until it is known well enough. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct star_race_rules {
    bool prune;
    int samples_most; /* of a racer */
    double precision; /* the width of the median's interval (times.h) at which a racer is known well enough */
    double seconds;   /* after which the race is over, whatever is known */
    double disturbance; /* so long others may take the processor: who takes less is judged a run later */
};

struct star_racer {
    bool out, wrong; /* WRONG: its result was, so it is out */
    bool keep;       /* is not let go before its median has an interval, unless far behind */
    double hope;   /* the least ratio of its time to the fastest's, by neighbours (expect.h); 0: not known */
    double cold;   /* its first run; NAN: there was none; INFINITY: it was disturbed */
    double *times; /* those that count: seconds, as they were taken */
    int count, disturbed;
};

struct star_race {
    struct star_race_rules rules;
    struct star_racer *racer;
    int racers;
    double spent; /* seconds */
    uint64_t random;
};

/* So many rounds are run at most before the race is looked at again. */
enum { STAR_RACE_ROUNDS = 3 };
/* Who comes out so much slower by chance no more often than so is out: three times against three, all slower,
 * will do. */
#define STAR_RACE_CHANCE 0.05

/* STAR_EMEMORY. Set `keep` and `hope` of the racers then. */
int star_race_begin(struct star_race *race, const struct star_race_rules *rules, int racers, uint64_t seed);
void star_race_end(struct star_race *race);
/* Puts into ORDER, which has room for STAR_RACE_ROUNDS of all racers, who runs next, one behind the other;
 * returns how many runs that are. 0: the race is over. */
int star_race_next(struct star_race *race, int *order);
/* The SECONDS that those runs took; INFINITY: it was disturbed, and does not count;
 * NAN: the result was wrong. SPENT: on all of it. */
void star_race_take(struct star_race *race, const int *order, int runs, const double *seconds, double spent);
