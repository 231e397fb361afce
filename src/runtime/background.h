/* SPDX-License-Identifier: BSD-3-Clause
 * Nonblocking collectives by plans, which go on whenever the MPI library makes progress. Beginning a call
 * waits for nobody: where it is not known yet which way it goes, or where too many are under way, it begins
 * later, while the program goes on. This is for operations that no rank can end before all have begun them:
 * so nobody waits for what the MPI library's own operation would not wait for. */
#ifndef STAR_RUNTIME_BACKGROUND_H
#define STAR_RUNTIME_BACKGROUND_H

#include "runtime/errand.h"
#include "runtime/ways.h"
#include "subject/balance.h"
#include "util/text.h"

/* Calls of one operation, with one size. */
struct star_agreement {
    enum { STAR_AGREEMENT_NONE, STAR_AGREEMENT_WAITS, STAR_AGREEMENT_RUNS } state;
    int64_t number; /* of the call at which it begins */
    struct star_course_figures own, sums;
    struct star_runner *runner;
    struct star_run run;
};
struct star_kind {
    struct star_background *of;
    enum star_operation operation;
    struct star_facts facts;
    struct star_shape shape;
    struct star_buffers buffers; /* the program's, of the last call */
    int64_t calls;
    struct star_course course;
    int count;
    struct star_track ways[STAR_WAYS];
    struct star_agreement agreement;
    int64_t unknown; /* so many have begun of which it is not known which way they go */
    int64_t open;    /* the most that were open on this rank, since the last agreement, */
    int depth;       /* and what this rank brought to it of that */
};

/* Of a communicator. */
enum { STAR_BACKGROUND_KINDS = 16 };
enum star_consent { STAR_CONSENT_ASKED, STAR_CONSENT_YES, STAR_CONSENT_NO };
struct star_background {
    struct star_communicator *state; /* NULL: no further call begins */
    int size, rank;
    struct star_route route;
    int *ranks; /* its own copy, or NULL */
    enum star_consent consent;
    int64_t number; /* of the next call */
    struct star_kind *kinds[STAR_BACKGROUND_KINDS];
    int count;
    struct star_errand *first, *last;
    int64_t agreements; /* that are not over */
    struct star_runner *agreeing[STAR_BACKGROUND_KINDS];
    struct star_background *before, *behind;
};

/* Is the call one that may go by plans? The same on all ranks. FACTS become its own, but where it is wrong.
 */
bool star_background_takes(const struct star_call *call, const struct star_communicator *state,
                           struct star_facts *facts);
/* Those of a communicator are asked whether they can. ABLE: is this rank? */
void star_background_open(struct star_communicator *state, MPI_Comm comm, bool able);
/* Begins the call. False: the MPI library is to. MPI error code, raised nowhere. */
bool star_background_begin(const struct star_call *call, struct star_communicator *state,
                           const struct star_facts *facts, MPI_Request *request, int *error);
/* Before the MPI library begins another nonblocking operation: what must begin before has. */
void star_background_hold(const struct star_communicator *state);
/* Goes on with all that is open; returns how much has ended. */
int star_background_poll(void);
/* Nothing further begins on the communicator. What has begun goes on. */
void star_background_leave(struct star_communicator *state);
/* MPI ends: what ranks have begun together is over on this one. */
void star_background_end(void);

/* What calls have saved on this rank; what a report says: JSON objects, each behind a comma. */
struct star_balance star_background_balance(const struct star_communicator *state);
void star_background_tell(const struct star_communicator *state, struct star_text *text);

#endif
