/* SPDX-License-Identifier: BSD-3-Clause
 * The runtime: between an MPI call of the program and the method that serves it.
 *
 * A communicator's state hangs on it as an attribute, made at its first call. After `tune-after` calls all
 * its ranks make a private duplicate together; from then on each (operation, bytes, in place, site) is a
 * context with a tuner. */
#ifndef STAR_RUNTIME_RUNTIME_H
#define STAR_RUNTIME_RUNTIME_H

#include "algorithms/methods.h"
#include "plan/execute.h"
#include "tuner/tuner.h"
#include "util/settings.h"

#include <mpi.h>
#include <stdatomic.h>

/* One call of the program. */
struct star_call {
    enum star_operation operation;
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    MPI_Datatype sendtype, recvtype;
    MPI_Comm comm;
    const void *site; /* the return address */
};

/* What MPI guarantees to be equal on all ranks of a call, as far as startune handles it. */
struct star_facts {
    int64_t bytes; /* by the datatypes' signature; 0: nothing to tune */
    bool in_place;
};

/* How an operation of MPI is served: operations.c holds one of these for each. */
struct star_server {
    int (*native)(const struct star_call *call);
    /* False when the call is not ours to judge (an argument is wrong): native takes it. */
    bool (*facts)(const struct star_call *call, struct star_facts *facts);
    /* The program's buffers, from what they were at the last call (or zeros); MPI error code. */
    int (*sides)(const struct star_call *call, const struct star_facts *facts, struct star_side *send,
                 struct star_side *recv);
};
extern const struct star_server star_servers[STAR_OPERATIONS];

/* A runner that contexts of one communicator share. */
struct star_shared_runner {
    struct star_method method;
    struct star_facts facts;
    struct star_runner *runner;
    struct star_side send, recv; /* the program's buffers of the last call */
    char *in_place;              /* a copy of the receive buffer, where MPI_IN_PLACE asks for one */
    int users;
    int64_t used; /* when it was last released, for forgetting the oldest */
    struct star_shared_runner *next;
};

struct star_switch {
    int64_t call;
    int32_t method, delta;
    int16_t reason, stage;
};

struct star_context {
    enum star_operation operation;
    struct star_facts facts;
    uint64_t site;
    struct star_tuner *tuner; /* NULL: one method only */
    struct star_methods candidates;
    int current; /* candidate that RUNNER runs; NULL runner: native */
    struct star_shared_runner *runner;
    int64_t calls, nanoseconds; /* all of them on this rank; the timed ones' time */
    int64_t skipped;            /* calls that were not timed */
    int32_t untimed;            /* so many more before the next timed one */
    struct star_tally {
        int64_t calls, nanoseconds; /* the counted ones of one candidate */
    } * tally;
    int64_t agreements, agreement_nanoseconds;
    int64_t tuning_calls, tuning_nanoseconds; /* in MEASURE */
    struct star_switch *history;              /* leader: the first STAR_HISTORY_MAX */
    int switches;
    char site_name[80];
    struct star_context *next; /* of its bucket */
};
enum { STAR_HISTORY_MAX = 64, STAR_BUCKETS = 32 };

struct star_communicator {
    bool native_only; /* size 1, inter-communicator, refused: never tuned */
    bool tuned;
    bool site_mismatch; /* once seen, contexts have no site */
    int size, rank;
    int64_t calls;
    uint64_t sites;   /* hash of the sequence of call sites */
    MPI_Comm private; /* once tuned */
    struct star_context *buckets[STAR_BUCKETS], *last;
    struct star_shared_runner *runners;
    int64_t released, made;               /* count releases and makings of runners */
    int64_t misses, hits;                 /* of runners for sizes past the bound */
    int64_t other_calls[STAR_OPERATIONS]; /* of sizes past the bound */
    struct star_communicator *next, *previous;
};

struct star_runtime {
    bool started;
    struct star_settings settings;
    struct star_methods force, only;
    int world_rank, world_size;
    int keyval;
    atomic_int tuned_communicators;
};
extern struct star_runtime star_runtime;

/* Read at every call of the program: kept apart, so that it costs one load. */
extern bool star_active;

/* start.c: after MPI_Init and before MPI_Finalize. Collective over MPI_COMM_WORLD. */
void star_start(void);
void star_finish(void);

/* communicator.c: the state of COMM, or NULL when all calls on it are native's. Cheap when asked again. MPI
 * error code, raised already: COMM is no communicator. */
int star_communicator_of(MPI_Comm comm, struct star_communicator **found);
/* The private duplicate; collective over the call's communicator. False: the communicator stays native. */
bool star_communicator_tune(struct star_communicator *state, MPI_Comm comm);
/* Its ranks call from different places: from now on contexts have no site. */
void star_communicator_forget_sites(struct star_communicator *state);
/* The attribute's delete function: the program frees the communicator. */
int star_communicator_freed(MPI_Comm comm, int keyval, void *value, void *extra);
/* At the end: all communicators that the program has not freed. */
void star_communicators_retire(void);

/* dispatch.c: serves a call on a communicator with a state. MPI error code, raised already. */
int star_dispatch(const struct star_call *call, struct star_communicator *state);

/* context.c */
struct star_context *star_context_find(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site);
/* NULL when out of memory. Collective over the communicator. */
struct star_context *star_context_new(struct star_communicator *state, enum star_operation operation,
                                      const struct star_facts *facts, const struct star_call *call,
                                      uint64_t site);
/* Makes the tuner's candidate the current one, on all ranks or on none. Collective when it is another one. */
void star_context_settle(struct star_communicator *state, struct star_context *context);
/* After a run of NANOSECONDS: counts it, and agrees where that is due. */
void star_context_ran(struct star_communicator *state, struct star_context *context, int64_t nanoseconds);
void star_context_free(struct star_communicator *state, struct star_context *context);
size_t star_context_bytes(const struct star_context *context);

/* runners.c: NULL when one rank could not make it: then all get NULL. Collective when it is not at hand. */
struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts);
void star_runner_release(struct star_communicator *state, struct star_shared_runner *runner);
void star_runners_free(struct star_communicator *state);
/* Runs it for CALL; MPI error code, not raised. */
int star_runner_run(struct star_communicator *state, struct star_shared_runner *runner,
                    const struct star_call *call);

/* site.c: module and offset of the caller. */
uint64_t star_site_of(const void *address);
void star_site_name(const void *address, char *buffer, size_t room);

/* ledger.c: what the leaders of communicators remember for the summary and the report. */
void star_ledger_add(const struct star_communicator *state, const struct star_context *context);
void star_ledger_add_communicator(const struct star_communicator *state);
void star_ledger_close(void);

/* warn.c: one line on standard error, from rank 0 of MPI_COMM_WORLD alone, once for each KIND. RANK is this
 * rank's in the communicator that is meant: its rank 0 remembers what rank 0 of MPI_COMM_WORLD may not know.
 */
enum star_warning {
    STAR_WARN_SETTINGS,
    STAR_WARN_DIFFERENT,
    STAR_WARN_FORCE,
    STAR_WARN_SITES,
    STAR_WARN_COMMUNICATORS,
    STAR_WARN_REPORT,
    STAR_WARN_MEMORY,
    STAR_WARNINGS
};
void star_warn(enum star_warning kind, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Collective over MPI_COMM_WORLD: the warnings that rank 0 could not know. */
void star_warnings_close(void);

#endif
