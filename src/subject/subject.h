/* SPDX-License-Identifier: BSD-3-Clause
 * What is tuned: the calls of a context, or the runs of requests that are alike. A subject has alternatives
 * (methods, functions) and a tuner that chooses among them, and keeps the books: what was counted, what it
 * took, what was decided. Both kinds are judged by the same rules, which stand here alone.
 *
 * No MPI in here: whoever has a subject lets its ranks agree, and tells it what they came to. Each rank keeps
 * one; they stay in step because all count the same calls and take the same decisions. */
#pragma once

#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"

struct star_subject;
struct star_text;

enum { STAR_SUBJECT_NAME = 128 };

/* What differs in how contexts and requests speak of themselves. */
struct star_subject_kind {
    const char *alternative; /* "method", "function" */
    const char *first;       /* what alternative 0 is called in reports: "native" */
    /* The name of an alternative in reports; and in lines that say already what the subject is. */
    void (*name)(const struct star_subject *subject, int alternative, char name[STAR_SUBJECT_NAME]);
    void (*shortly)(const struct star_subject *subject, int alternative, char name[STAR_SUBJECT_NAME]);
    /* "alltoall 64K bytes". */
    void (*about)(const struct star_subject *subject, char about[STAR_SUBJECT_NAME]);
    /* Adds to the JSON object of an alternative what this kind alone knows. */
    void (*describe)(const struct star_subject *subject, int alternative, struct star_text *text);
};

/* Batches of counted calls in a row, as calls that follow each other are slow together. Of the seconds of
 * each: they, their squares, and products with the batch before, added up. */
struct star_batches {
    double seconds, squares, products, before;
    int64_t count;
};
/* The timed calls of one alternative, on this rank. */
struct star_tally {
    int64_t calls, nanoseconds;           /* the counted ones */
    int64_t cold_calls, cold_nanoseconds; /* the others: the first ones after a change of alternative */
    int64_t all;                          /* timed or not, up to the stretch of calls that goes on */
    struct star_batches *batches;         /* NULL: none yet, or out of memory */
    int64_t returns;                      /* so often calls came back to it */
    int64_t watched_calls; /* leader: of CALLS, as the chosen one, in periods that have ended, */
    double watched;        /* which took so many seconds, as the tuner counts them over ranks */
};
enum { STAR_BATCH = 4 };

/* Calls, TIMED of them, taking NANOSECONDS. */
struct star_seen {
    int64_t calls, timed, nanoseconds;
};

/* A decision. */
struct star_switch {
    int64_t call;
    double seconds; /* since the program began */
    double mean;    /* of the timed calls since the decision before, on this rank, or STAR_UNKNOWN_SECONDS */
    int32_t alternative, delta;
    int16_t reason, stage;
};
enum { STAR_HISTORY_MAX = 64 }; /* that are noted */

/* Ordered by how often calls look there: the first line of a processor's cache is all that an untimed call
 * needs. */
struct star_subject {
    int64_t calls, skipped;   /* all of them on this rank; those that were not timed */
    int32_t untimed;          /* so many calls more before the next timed one */
    int32_t now;              /* the alternative that is to run */
    struct star_tuner *tuner; /* NULL: NOW always */
    struct star_tally *tally; /* of each alternative */
    int64_t nanoseconds;      /* of the timed calls on this rank */
    bool decides;             /* there is a tuner, with more than one candidate */
    bool leads;               /* this rank decides for all */
    bool says;                /* and says so in a line: the setting `log` */
    bool each;                /* where nothing is to be decided, all calls are timed */
    bool meets;          /* its ranks wait for each other, so that each one's times are like the others' */
    int32_t sample;      /* the setting */
    uint64_t random;     /* for `untimed`, where nothing is to be decided */
    const int16_t *list; /* the alternative that each candidate of the tuner is; NULL: they are the same */
    const struct star_subject_kind *kind;
    int64_t began;                          /* when the program did */
    int32_t ranks;                          /* that share it */
    int32_t count, tallies;                 /* of alternatives; and room for so many */
    int32_t chosen;                         /* that of the last period of MONITOR; the first one before */
    int32_t switches, room;                 /* decisions noted, in room for so many */
    int32_t recalled;                       /* of so many alternatives something was known before, */
    double confidence;                      /* so surely */
    double native_before, native_deviation; /* of alternative 0, and of its calls; unknown where it was not */
    int64_t agreements, agreement_nanoseconds;
    int64_t tuning_calls, tuning_nanoseconds; /* in MEASURE */
    int32_t ran;               /* the alternative of the calls that go on, which began when so many */
    int64_t ran_since;         /* had been made */
    int64_t batch_nanoseconds; /* of the batch that is filled */
    int32_t batch_calls;
    int64_t period_began;        /* calls of the alternative before this period of MONITOR */
    struct star_switch *history; /* leader: the first ones */
    struct star_seen seen;       /* when the last decision was made */
};

/* Room for the books of COUNT alternatives; false when out of memory: star_subject_free then. Local. */
bool star_subject_make(struct star_subject *subject, int count);
/* There are COUNT alternatives from now on, of which the one that there was is the first; its calls until now
 * are no measure, as they may be the program's first ones. False, nothing changed: out of memory. Local. */
bool star_subject_grow(struct star_subject *subject, int count);
void star_subject_free(struct star_subject *subject);
/* What its tallies hold, but not themselves. */
void star_subject_free_batches(struct star_subject *subject);
size_t star_subject_bytes(const struct star_subject *subject);
/* After whatever may have changed the tuner or the list: what is read at each call lies ready. */
void star_subject_renew(struct star_subject *subject);

/* An untimed call begins: true, and counted. */
static inline bool star_subject_skips(struct star_subject *subject)
{
    if (subject->untimed <= 0)
        return false;
    subject->untimed--;
    subject->calls++;
    subject->skipped++;
    return true;
}
/* One that is no measure: its number alone. */
static inline void star_subject_pass(struct star_subject *subject)
{
    subject->calls++;
    subject->skipped++;
}
/* A timed call of ALTERNATIVE. True: an agreement is due. */
bool star_subject_count(struct star_subject *subject, int alternative, int64_t nanoseconds);
/* Then: how many calls need not be timed, if ALTERNATIVE, which ran, goes on. */
void star_subject_leave_untimed(struct star_subject *subject, int alternative);

/* NANOSECONDS are the price of tuning: on an occasion that all ranks have; or once, on this rank. */
void star_subject_pay(struct star_subject *subject, int64_t nanoseconds);
void star_subject_pay_once(struct star_subject *subject, int64_t nanoseconds);

/* Before a decision: adds up the period of ALTERNATIVE that has ended, in which ranks' times were as far
 * apart as SPREAD. */
void star_subject_watched(struct star_subject *subject, int alternative, const struct star_spread *spread);
/* After it, on all ranks: it is what runs from now on, and is noted, and said. The agreement took
 * NANOSECONDS. */
void star_subject_decided(struct star_subject *subject, const struct star_decision *decision,
                          int64_t nanoseconds);
/* Gives the tuner what earlier runs saw of COUNT alternatives, if it takes it. */
void star_subject_recall(struct star_subject *subject, const struct star_recollection *known, int64_t count,
                         double confidence);
/* That has been given to the tuner. */
void star_subject_recalled(struct star_subject *subject, const struct star_recollection *known, int count,
                           double confidence);
/* Leaves out the tuner's candidate. True: an agreement is due. */
bool star_subject_leave_out(struct star_subject *subject, enum star_reason reason);

/* Are alternatives being compared? */
static inline bool star_subject_is_open(const struct star_subject *subject)
{
    return subject->tuner != NULL && star_tuner_stage(subject->tuner) == STAR_MEASURE;
}
/* The alternative that a candidate of the tuner is. */
static inline int star_subject_alternative(const struct star_subject *subject, int candidate)
{
    return subject->list != NULL ? subject->list[candidate] : candidate;
}
