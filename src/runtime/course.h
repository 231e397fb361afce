/* SPDX-License-Identifier: BSD-3-Clause
 * By which way each call of a kind goes where nobody may wait to agree: natively, or by one of some plans.
 * The answer depends on the call's number and on what agreements have brought, so that it is the same on all
 * ranks, though each comes to it at a time of its own. An agreement begins at a call whose number all ranks
 * know. What comes behind that call may go by a plan, which can begin later, when the agreement is over; but
 * natively only so many calls later that each rank has surely seen its outcome: the MPI library's nonblocking
 * operations must begin in one order. No MPI. */
#ifndef STAR_RUNTIME_COURSE_H
#define STAR_RUNTIME_COURSE_H

#include <stdbool.h>
#include <stdint.h>

/* The first way is native. */
enum { STAR_WAYS = 6, STAR_DEPTHS = 5 };

/* What ranks bring to an agreement, and what their sums are. */
struct star_course_figures {
    int64_t able[STAR_WAYS];        /* 1: this rank can go by it */
    int64_t nanoseconds[STAR_WAYS]; /* a call takes so long; 0: not known */
    int64_t depths[STAR_DEPTHS];    /* 1: that of the most calls that were open at once */
};
enum { STAR_COURSE_FIGURES = sizeof(struct star_course_figures) / sizeof(int64_t) };

enum star_course_phase {
    STAR_COURSE_EARLY,    /* natively: maybe few calls will come */
    STAR_COURSE_MAKING,   /* natively, while ranks agree on which plans they all have */
    STAR_COURSE_TRIAL,    /* the ways in turn */
    STAR_COURSE_SETTLING, /* by the best plan, before a call may go natively again */
    STAR_COURSE_STEADY
};
struct star_course {
    enum star_course_phase phase;
    bool native;  /* for good */
    bool forced;  /* never natively, if there is any plan */
    bool awaits;  /* an agreement has begun, whose outcome is not known here */
    int ways;     /* native's among them */
    int64_t left; /* calls of the phase */
    uint32_t able, trying;
    int way, turn;  /* of the trial */
    int trials;     /* so many are over */
    int best, plan; /* the fastest way, and the fastest plan */
};

/* Of the next call: its way; is it timed; does an agreement begin at it? */
struct star_course_step {
    int way;
    bool timed, agrees;
};

/* FORCED: an agreement begins at once, at the first call. */
struct star_course star_course_new(int ways, bool forced);
/* Is the outcome of an agreement needed before the next call can begin? */
bool star_course_waits(const struct star_course *course);
struct star_course_step star_course_next(struct star_course *course);
/* The sums of RANKS ranks. */
void star_course_agreed(struct star_course *course, const struct star_course_figures *sums, int ranks);
/* To which of the figures for depths so many open calls count. */
int star_course_depth(int64_t open);
/* So many calls go by a plan before one may go natively again, where the depth is that. */
int64_t star_course_settles(int depth);

#endif
