/* SPDX-License-Identifier: BSD-3-Clause
 * Turns: which candidate a nonblocking call runs, where no rank may wait for another one to agree. Calls are
 * counted, alike on all ranks, in stretches. In each that is active the first calls are a visit of another
 * candidate, if there is one, and the last ones are of the current one; both are timed. At its end each rank
 * tells what it measured, in one reduction that goes on in the background, and what comes out holds from the
 * end of the next stretch on. All that is decided follows from call numbers and from such sums, so all ranks
 * decide alike. Candidate 0 is native. No MPI in here. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STAR_TURNS_MOST = 8, STAR_TURN_NONE = -1 };

/* How many calls come before the first stretch, are in one, and in a visit. */
struct star_turns_pace {
    int32_t before, length, visit;
};

/* What a rank tells, and the sums over all ranks. */
struct star_turns_word {
    int64_t unable; /* it has no plan for the next candidate, or, before there is one, none for any */
    int64_t nanoseconds[STAR_TURNS_MOST]; /* a mean of each; 0: not measured */
    int64_t measured[STAR_TURNS_MOST];    /* is there one? */
    int64_t listed;                       /* one rank: so many candidates there are, */
    int64_t order[STAR_TURNS_MOST];       /* and these, of a list that all have */
};
enum { STAR_TURNS_WORDS = sizeof(struct star_turns_word) / sizeof(int64_t) };

struct star_turns {
    struct star_turns_pace pace;
    int count;    /* of candidates */
    int current;  /* runs */
    int told;     /* the ranks have told of its visit; or none; */
    int telling;  /* was visited in the last stretch, of which they tell now; or none; */
    int visited;  /* in this one; or none; */
    int next;     /* in the next one, if all ranks have a plan for it; or none */
    bool active;  /* this stretch is */
    bool closed;  /* a rank was unable to take part: native runs from now on */
    bool forced;  /* candidate 1 runs as soon as it can */
    bool rotates; /* for tests: visits go on for ever, and whoever was visited last is the current one */
    int64_t stretch, again;               /* nobody is visited before stretch AGAIN */
    int64_t round;                        /* all are to be seen once from this stretch on */
    int64_t gap;                          /* of idle stretches */
    int64_t nanoseconds[STAR_TURNS_MOST]; /* of a call, all ranks together; 0: not known */
    int64_t seen[STAR_TURNS_MOST];        /* in this stretch it was visited last; 0: never */
    double reserved[STAR_TURNS_MOST];     /* for a visit of which nothing is known yet */
    double spent, earned;                 /* nanoseconds of visits beyond the current one; and of all calls */
};

void star_turns_begin(struct star_turns *turns, int count, const struct star_turns_pace *pace);
/* Is call CALL the first of a stretch? Then, in this order, on all ranks: */
static inline bool star_turns_is_first(const struct star_turns *turns, int64_t call)
{
    return call >= turns->pace.before && (call - turns->pace.before) % turns->pace.length == 0;
}
/* what the ranks have told in the last stretch but one, if they have, is known: it is no one's if SUMS is
 * NULL. */
void star_turns_end(struct star_turns *turns, const struct star_turns_word *sums, int ranks);
/* Are the ranks to tell what they measured? They do if the stretch that begins is active. */
static inline bool star_turns_tells(const struct star_turns *turns)
{
    return turns->active;
}
/* The candidate of call CALL of the stretch that it lies in. *TIMED: it is. */
/* Plans of no other candidates are needed now. */
static inline bool star_turns_needs(const struct star_turns *turns, int i)
{
    return i == turns->current || i == turns->told || i == turns->telling || i == turns->visited ||
           i == turns->next;
}
int star_turns_candidate(const struct star_turns *turns, int64_t call, bool *timed);
