/* SPDX-License-Identifier: BSD-3-Clause
 * Errands: nonblocking calls that go by a plan, or that wait until it is known which way they go. */
#ifndef STAR_RUNTIME_ERRAND_H
#define STAR_RUNTIME_ERRAND_H

#include "exec/general.h"
#include "exec/run.h"
#include "runtime/course.h"
#include "runtime/state.h"

enum star_errand_state { STAR_ERRAND_WAITS, STAR_ERRAND_RUNS, STAR_ERRAND_RUNS_NATIVELY };

struct star_kind; /* background.c */
struct star_errand {
    struct star_general general; /* the first member */
    struct star_kind *kind;
    int64_t number;
    struct star_call call;
    struct star_buffers buffers; /* of a plan: dense */
    int64_t sends, receives;     /* bytes */
    struct star_side own;        /* the program's receive buffer, where the plan's is another; */
    char *room;                  /* that, and what is sent, packed; or NULL */
    MPI_Datatype kept[2];        /* types that the program may free before it ends */
    bool known;                  /* which way it goes: */
    struct star_course_step step;
    enum star_errand_state state;
    struct star_runner *runner; /* of the plan, or NULL */
    struct star_run run;
    MPI_Request native;
    bool moved; /* all that belongs to it has */
    int error;
    struct star_errand *before, *behind; /* of its communicator */
};

/* Would the MPI library find nothing wrong with BUFFERS? */
bool star_errand_is_right(const struct star_call *call, const struct star_buffers *buffers);
/* One for CALL, whose buffers are BUFFERS, with a request. NULL: there is no memory. */
struct star_errand *star_errand_new(const struct star_call *call, const struct star_buffers *buffers,
                                    const struct star_shape *shape);
/* It begins: by the plan of RUNNER, or natively. */
void star_errand_run(struct star_errand *errand, struct star_runner *runner, const struct star_route *route);
void star_errand_run_natively(struct star_errand *errand);
/* Goes on, as far as it can; true: it is over. */
bool star_errand_goes_on(struct star_errand *errand);
/* Whoever waits for it is told. It may be no more, then. */
void star_errand_end(struct star_errand *errand);

#endif
