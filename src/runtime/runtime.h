/* SPDX-License-Identifier: BSD-3-Clause
 * The runtime: between an MPI call of the program and the method that serves it.
 *
 * A communicator's state hangs on it as an attribute, made with it or at its first call. After `tune-after`
 * calls its ranks agree to tune it; from then on each (operation, bytes, in place, site) is a context with a
 * tuner. */
#ifndef STAR_RUNTIME_RUNTIME_H
#define STAR_RUNTIME_RUNTIME_H

#include "algorithms/methods.h"
#include "plan/cost.h"
#include "plan/execute.h"
#include "topology/network.h"
#include "tuner/decide.h"
#include "tuner/networks.h"
#include "tuner/tuner.h"
#include "util/settings.h"

#include <mpi.h>
#include <stdatomic.h>

struct star_communicator;
struct star_map_machine;

/* One call of the program; what an operation does not have is zero. */
struct star_call {
    enum star_operation operation;
    const void *sendbuf;
    void *recvbuf; /* the buffer of bcast */
    int64_t sendcount, recvcount;
    const void *sendcounts, *senddispls, *recvcounts,
        *recvdispls;                 /* int, or, LARGE, MPI_Count and MPI_Aint */
    MPI_Datatype sendtype, recvtype; /* RECVTYPE alone: of bcast and reductions */
    MPI_Op op;
    int root;
    bool large; /* MPI-4's large-count binding */
    MPI_Comm comm;
    const void *site; /* the return address */
};

enum { STAR_BYTES_UNKNOWN = -1 };
/* No MPI library is expected to send longer messages before their receiver is there. */
enum { STAR_EAGER_MOST = 64 << 10 };

/* What MPI guarantees to be equal on all ranks of a call, as far as startune handles it. */
struct star_facts {
    int64_t bytes;   /* as the operation measures them, by the datatypes' signature; STAR_BYTES_UNKNOWN */
    int64_t granule; /* reductions: bytes of an element; else 1 */
    int32_t root;
    bool in_place; /* on all ranks: not of operations with a root */
    bool commutative;
    bool wrong; /* this rank alone: it sends another length than it receives. It still agrees with the others
                 */
    bool own_operator; /* of the program's */
};

/* How an operation of MPI is served: operations.c holds one of these for each. */
struct star_server {
    int (*native)(const struct star_call *call);
    /* False when there is nothing to tune, or the call is not ours to judge (an argument is wrong): native
     * takes it. */
    bool (*facts)(const struct star_call *call, const struct star_communicator *state,
                  struct star_facts *facts);
    /* The program's buffers, from what they were at the last call (or zeros); MPI error code. */
    int (*buffers)(const struct star_call *call, const struct star_communicator *state,
                   const struct star_facts *facts, struct star_buffers *buffers);
};
extern const struct star_server star_servers[STAR_OPERATIONS];
/* One buffer for both, where the MPI library takes it as MPI_IN_PLACE. */
bool star_is_in_place(const struct star_call *call);

/* Bytes of COUNT elements of TYPE; negative: no count, or no datatype. */
int64_t star_bytes_of(int64_t count, MPI_Datatype type);
/* COUNTS[k], of the call's binding. */
int64_t star_count_at(const struct star_call *call, const void *counts, int64_t k);

/* operators.c: does MPI allow the operator for the datatype? All of the program's own are allowed. */
bool star_operator_suits(MPI_Op op, MPI_Datatype type);
/* "MPI_SUM", and its number in a list that is the same on all ranks; NULL and −1: the program's own. */
const char *star_operator_name(MPI_Op op, int *number);
/* The operator of such a number; MPI_OP_NULL: there is none. */
MPI_Op star_operator_at(int number);
/* Is it one of MPI's own, of those that are used? Looks at the handle alone, which need be none. */
bool star_is_predefined(MPI_Datatype type);
/* What the elements of a type of MPI's own are. */
enum star_numbers {
    STAR_NUMBERS_EXACT,
    STAR_NUMBERS_FLOATING,
    STAR_NUMBERS_COMPLEX,
    STAR_NUMBERS_LOCATED, /* a floating-point number, and an int */
    STAR_NUMBERS_TWO,     /* two floating-point numbers */
    STAR_NUMBERS_BYTES,   /* two integers, characters, or what has no numbers */
    STAR_NUMBERS_OTHER
};
enum star_numbers star_numbers_of(MPI_Datatype type);

/* A runner that contexts of one communicator share. */
struct star_shared_runner {
    struct star_method method;
    struct star_facts facts;
    struct star_runner *runner;  /* NULL: a mock-up */
    struct star_buffers buffers; /* the program's buffers of the last call */
    char *scratch;               /* alltoall: a copy of the receive buffer for MPI_IN_PLACE; mock-ups' own */
    int64_t scratch_bytes;
    bool impossible; /* not all ranks could make it; or it was found wrong */
    int users;
    bool verified;                              /* and found right */
    struct star_shared_runner *next;            /* of its bucket */
    struct star_shared_runner *before, *behind; /* while it is idle: who was released before it, and after */
};

/* Those of a communicator, and of them the idle ones by when they were last released: see runners.c. All
 * ranks hold the same. */
enum { STAR_RUNNERS_FEW = 32 };
struct star_runners {
    struct star_shared_runner *few[STAR_RUNNERS_FEW], **many; /* buckets; MANY: NULL while few are enough */
    int64_t room, count;                                      /* of MANY, and runners */
    struct star_shared_runner *oldest, *newest, *large;       /* idle ones; the one for calls of many bytes */
    int64_t idle, idle_bytes;
    int64_t made; /* so many runners, so far */
};

/* A decision. */
struct star_switch {
    int64_t call;
    double seconds; /* since the program began */
    double mean;    /* of the timed calls since the decision before, on this rank, or STAR_UNKNOWN_SECONDS */
    int32_t method, delta;
    int16_t reason, stage;
};

/* Calls, TIMED of them, taking NANOSECONDS. */
struct star_seen {
    int64_t calls, timed, nanoseconds;
};

/* Of ranks' mean times of a call: seconds. */
struct star_context {
    enum star_operation operation;
    int32_t untimed; /* so many calls more before the next timed one; until then no other method comes: */
    bool straight;   /* is it native? */
    bool talks;      /* its ranks agree by talks: see rooted.c; then: */
    bool fresh;      /* not all ranks are known to have it; */
    bool stub;       /* this rank has no memory for it; */
    bool due, lacks; /* an agreement, or plans for one of VARIANTS, are due; */
    bool forgets;    /* this rank has no memory for all variants; */
    int resting;     /* the candidate that runs while a talk about it goes on */
    struct star_facts *variants; /* what plans are for: each root that has come, … */
    int varying;
    struct star_shared_runner **making; /* plans that not all ranks are known to have made */
    int makings;
    struct star_facts facts;
    uint64_t site;
    int64_t calls, skipped;   /* all of them on this rank; those that were not timed */
    struct star_tuner *tuner; /* NULL: one method only */
    struct star_methods candidates;
    struct star_prospect *predicted; /* of each candidate; NULL: nothing is. Leader only */
    double patience;                 /* seconds that predicting might take when it was last tried */
    bool compared;                   /* which candidates are the same: the leader has told its tuner */
    int pruned;                      /* so many were left out for what was predicted */
    int recalled;                    /* of so many candidates something was known before */
    double confidence;
    int current; /* candidate that RUNNER runs; NULL runner: native */
    struct star_shared_runner *runner;
    int64_t nanoseconds; /* of the timed calls on this rank */
    uint64_t random;     /* for UNTIMED, where nothing is to be decided */
    struct star_tally {
        int64_t calls, nanoseconds;   /* the counted ones of one candidate */
        bool verified, wrong, unable; /* UNABLE: where ranks talk, not all could make a plan */
        int32_t plans;                /* made for it at calls, as for other roots */
        int64_t watched_calls;        /* leader: in periods of MONITOR, */
        double watched;               /* which took so many seconds, as the tuner counts them over ranks */
    } * tally;
    int64_t period_began; /* calls of the candidate before this period of MONITOR */
    int64_t agreements, agreement_nanoseconds;
    int64_t tuning_calls, tuning_nanoseconds; /* in MEASURE */
    int64_t first_calls, first_nanoseconds;   /* timed ones of the first candidate, counted or not */
    struct star_switch *history;              /* leader: the first STAR_HISTORY_MAX */
    int switches;
    int chosen;               /* candidate of the last period of MONITOR; native before */
    struct star_seen seen;    /* when the last decision was made */
    struct star_spread waits; /* leader: sums over the calls of periods of MONITOR, */
    int64_t judged;           /* and how many these were */
    char caller[80];          /* of the call that it was made at; its module's path, or NULL */
    const char *module;
    struct star_context *next; /* of the communicator, made before */
};
enum { STAR_HISTORY_MAX = 64 };

/* Those of a communicator: see siblings.c. */
struct star_contexts {
    struct star_context *first, *found; /* the last one made, and found */
    struct star_siblings **buckets;
    int64_t room, count; /* of buckets, and siblings */
};

struct star_communicator {
    bool native_only;   /* size 1, inter-communicator, refused: never tuned */
    bool known;         /* a call has come: what stands below is found out */
    bool spare;         /* it came from the few that are there when memory is not */
    bool open, able;    /* what this rank alone does to tune it was tried, and done */
    bool crowded;       /* too many were open before it */
    bool tuned;         /* all ranks are able */
    bool checked;       /* with the setting: until a communicator for it cannot be made */
    bool site_mismatch; /* once seen, contexts have no site */
    int size, rank;
    int *node;                      /* of each rank, or NULL: see nodes.c */
    struct star_network *network;   /* or NULL: see places.c */
    struct star_networks *networks; /* leader: what contexts have found out of it; NULL: nothing */
    struct star_repeat *repeats;    /* once tuned, or NULL: see repeat.h */
    int64_t calls;
    int64_t again, wait;     /* paused: nothing new before call AGAIN, and then for WAIT calls */
    uint64_t sites;          /* hash of the sequence of call sites */
    struct star_route route; /* of its messages; `whole` is the program's communicator. Once open */
    int *world;              /* the rank in MPI_COMM_WORLD of each rank; NULL: the same */
    MPI_Comm private;        /* where no messages travel on MPI_COMM_WORLD's duplicate */
    int64_t id;              /* ids.h */
    struct star_talk *talk;  /* talk.h; while it is open, or NULL */
    int stubs;               /* so many contexts are */
    MPI_Comm checking;       /* once checked */
    struct star_contexts contexts;
    struct star_runners runners;
    int64_t misses, hits;                 /* of runners for sizes past the bound */
    int64_t other_calls[STAR_OPERATIONS]; /* of sizes past the bound */
    struct star_communicator *next, *previous;
};

struct star_runtime {
    atomic_bool started;
    bool by_name; /* begun by a call of STAR_X, without startune's environment */
    struct star_settings settings;
    struct star_methods force, only;
    struct star_cost_parameters assumed; /* by the cost model */
    int world_rank, world_size;
    int keyval;
    int64_t began;     /* star_now */
    MPI_Comm self;     /* star_alone */
    MPI_Comm messages; /* of all communicators; MPI_COMM_NULL: each has its own duplicate */
    bool threads;      /* several may communicate at once on some rank (MPI_THREAD_MULTIPLE) */
    atomic_int tuned_communicators;
};
extern struct star_runtime star_runtime;

/* Read at every call of the program: kept apart, so that it costs one load. */
extern bool star_active;                /* calls of MPI_X are tuned */
extern atomic_bool star_active_by_name; /* calls of STAR_X are */

/* What is to be told before the summary and the report are written; NULL: nothing more. */
typedef void star_ending(void);
extern star_ending *star_before_end;

/* Of the setting `force` leaves in OTHERS, of ROOM bytes, the words that are methods of MPI's operations; the
 * others it knows: see patterns/forced.h. 0, or an error with the reason. */
typedef int star_force_split(const char *text, char *others, size_t room, struct star_why *why);

/* start.c: after MPI_Init and before MPI_Finalize. Collective over MPI_COMM_WORLD. */
void star_prepare(void); /* before MPI_Init; local */
void star_start(star_force_split *split);
void star_finish(void);
/* What a method may take beside the program's buffers, in bytes. */
int64_t star_memory_most(void);
/* A communicator of this process alone: where a handle is tried, with MPI_ERRORS_RETURN. */
MPI_Comm star_alone(void);
/* At the first call of STAR_X without startune's environment: with the preset settings, and no summary.
 * Local. False: calls are native's. */
bool star_start_by_name(void);

/* pause.c: the program switches tuning off, and on again (MPI_Pcontrol). Local: see there. */
void star_pause(bool off);
bool star_is_paused(void);
/* A rank was found paused: how many calls to wait before ranks ask each other again. Or all were awake. */
void star_pause_found(struct star_communicator *state, bool awake);

/* communicator.c: the state of COMM, or NULL when all calls on it are native's. Cheap when asked again. MPI
 * error code, raised already: COMM is no communicator. */
int star_communicator_of(MPI_Comm comm, struct star_communicator **found);
/* MADE was made of COMM by its own ranks together, which agree on a number for it. Collective over MADE. */
void star_communicator_made(MPI_Comm comm, MPI_Comm made);
/* The ranks of COMM agree on its number. Collective over COMM. ABLE: is this rank? False: it has none. */
bool star_communicator_number(struct star_communicator *state, MPI_Comm comm, bool able);
/* All ranks are able to tune it. */
void star_communicator_tuned(struct star_communicator *state);
/* It is open from now on, or no more. */
void star_communicator_link(struct star_communicator *state);
void star_communicator_unlink(struct star_communicator *state);

/* opening.c: what this rank alone does before COMM can be tuned; it notes whether it was able to. Local. */
void star_communicator_open(struct star_communicator *state, MPI_Comm comm);
/* Frees what opening has taken. */
void star_communicator_close(struct star_communicator *state);
/* Not all ranks are able. */
void star_communicator_stay_native(struct star_communicator *state);
/* Opens it, and asks whether all ranks could. Collective over COMM. False: the communicator stays native, or,
 * while a rank has switched tuning off, is tried again later. */
bool star_communicator_tune(struct star_communicator *state, MPI_Comm comm);
/* Its ranks call from different places: from now on contexts have no site. */
void star_communicator_forget_sites(struct star_communicator *state);
/* The program frees or disconnects *COMM by NATIVE. */
int star_communicator_free(MPI_Comm *comm, int (*native)(MPI_Comm *));
/* The attribute's delete function: the program frees the communicator. */
int star_communicator_freed(MPI_Comm comm, int keyval, void *value, void *extra);
/* The ranks in MPI_COMM_WORLD of those of COMM, which has SIZE, to be freed; MPI_UNDEFINED for those of
 * another world. NULL: they cannot be found out. */
int *star_world_ranks(MPI_Comm comm, int size);
/* Are they those of MPI_COMM_WORLD, in that order? */
bool star_is_of_world(MPI_Comm comm, int size);
/* At the end: all communicators that the program has not freed. */
void star_communicators_retire(void);
/* Visits those that are tuned now. */
void star_communicators_each(void (*visit)(const struct star_communicator *state, void *into), void *into);

/* Reductions must be in the order of ranks, in this run. */
enum { STAR_REPRODUCIBLE_OFF, STAR_REPRODUCIBLE_ORDER, STAR_REPRODUCIBLE_NATIVE }; /* of the setting */
bool star_keeps_rank_order(enum star_operation operation);

/* dispatch.c: serves a call on a communicator with a state. MPI error code, raised already. */
int star_dispatch(const struct star_call *call, struct star_communicator *state);
/* Has the communicator been called often enough to be tuned, at a call like this? */
bool star_is_worth_tuning(const struct star_communicator *state, const struct star_call *call);
/* May one more size be tuned for the operation at this site, or must it be? */
bool star_is_wanted(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, uint64_t site);
/* Runs RUNNER, or native where that is NULL. MPI error code, raised already. */
int star_run_with(struct star_communicator *state, struct star_shared_runner *runner,
                  const struct star_call *call, const struct star_facts *facts);
/* What is tuned already, and stands in for a size past the bound. */
struct star_stand_in {
    struct star_context *context; /* NULL: a decision map */
    int choice;                   /* of the context's candidates */
    struct star_method method;
    bool suits; /* the size at hand */
};
struct star_stand_in star_stand_in_for(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site);

/* rooted.c: the same at operations at which ranks may not wait for each other: see talk.h. */
int star_rooted_dispatch(const struct star_call *call, struct star_communicator *state,
                         const struct star_facts *facts, uint64_t site);
/* At each counted call on a tuned communicator, before it. */
void star_rooted_step(const struct star_call *call, struct star_communicator *state,
                      const struct star_facts *facts);
/* May calls of the operation wait for all ranks? Either nobody leaves it before all have come, or the user
 * has asked for what cannot be had otherwise. */
bool star_may_wait(enum star_operation operation);

/* checked.c: do all ranks make the same call? Else says what differs and ends the program. Collective over
 * the call's communicator. */
void star_check(const struct star_call *call, struct star_communicator *state);

/* repeat.c: room for calls to remember, a little; without memory for it none are. */
void star_repeats_begin(struct star_communicator *state);
/* What a call is counted for has changed: remembers none. */
void star_repeats_forget(struct star_communicator *state);
void star_repeats_end(struct star_communicator *state);
/* The context of a call that was not timed and is native's, so that it can go there by itself when it comes
 * again (star_repeats). */
void star_repeat_remember(struct star_communicator *state, const struct star_call *call,
                          struct star_context *context);

/* siblings.c: a communicator's contexts by what they are for; NULL: there is none. */
struct star_context *star_contexts_find(struct star_contexts *contexts, enum star_operation operation,
                                        const struct star_facts *facts, uint64_t site);
/* That of the size nearest to that of FACTS, by the quotient; of two as near, the smaller. */
struct star_context *star_contexts_nearest(const struct star_contexts *contexts,
                                           enum star_operation operation, const struct star_facts *facts,
                                           uint64_t site);
/* How many there are of an operation at a site. */
int64_t star_contexts_count(const struct star_contexts *contexts, enum star_operation operation,
                            uint64_t site);
/* So that one more can be added, which then cannot fail. False: out of memory. */
bool star_contexts_make_room(struct star_contexts *contexts, enum star_operation operation, uint64_t site);
void star_contexts_add(struct star_contexts *contexts, struct star_context *context);
/* Frees all but the contexts themselves. */
void star_contexts_forget(struct star_contexts *contexts);

/* context.c */
/* NULL when out of memory, or while a rank has switched tuning off. Collective over the communicator. */
struct star_context *star_context_new(struct star_communicator *state, enum star_operation operation,
                                      const struct star_facts *facts, const struct star_call *call,
                                      uint64_t site);
/* What each rank does of that by itself. NULL when out of memory. Local. */
struct star_context *star_context_make(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, const struct star_call *call,
                                       uint64_t site);
/* One that has native alone, where there is no memory for a context; NULL: there are very many already.
 * Local. */
struct star_context *star_context_stub(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site);
/* Native alone runs from now on. */
void star_context_give_up(struct star_context *context);
/* What the cost model and earlier runs say was taken, for which this rank took NANOSECONDS: they are the
 * price of tuning, as agreeing is. */
void star_context_foreseen(struct star_communicator *state, struct star_context *context,
                           int64_t nanoseconds);
/* Adds up a period of CANDIDATE that has ended, in which ranks' times were as far apart as SPREAD. */
void star_context_watched(struct star_context *context, int candidate, const struct star_spread *spread);
/* The leader notes the decision that runs from now on. */
void star_context_note(struct star_context *context, enum star_reason reason);
/* Before the leader decides: it finds out what is worth to be known. The question is asked while it decides.
 */
struct star_consultation {
    struct star_communicator *state;
    struct star_context *context;
};
void star_context_consult(struct star_consultation *consultation);
/* All ranks, after a decision for which the agreement took NANOSECONDS. */
void star_context_decided(struct star_communicator *state, struct star_context *context,
                          const struct star_decision *decision, const struct star_spread *spread,
                          int64_t nanoseconds);
/* Counts a timed call. True: an agreement is due. And how many calls need not be timed now. */
bool star_context_count(struct star_context *context, int64_t nanoseconds);
void star_context_leave_untimed(struct star_context *context);
/* Leaves out the tuner's candidate. True: an agreement is due. */
bool star_context_leave_out(struct star_communicator *state, struct star_context *context,
                            enum star_reason reason);
/* Makes the tuner's candidate the current one, for calls with these facts, on all ranks or on none.
 * Collective when it is another one. */
void star_context_settle(struct star_communicator *state, struct star_context *context,
                         const struct star_facts *facts);
/* What was done since BEGIN is the price of tuning, as agreeing is. Returns star_now(). */
int64_t star_context_paid(struct star_context *context, int64_t begin);
/* Makes the context's runner one for calls with FACTS: another root, another datatype. NULL: native runs.
 * Collective when it is another one. */
struct star_shared_runner *star_context_runner(struct star_communicator *state, struct star_context *context,
                                               const struct star_facts *facts);
/* Is the method that is to run now, here or for these facts, used for the first time, and to be verified?
 * Collective as star_context_runner is. */
bool star_context_is_unverified(struct star_communicator *state, struct star_context *context,
                                const struct star_facts *facts);
/* CANDIDATE is wrong: it never runs again here. Collective. */
void star_context_refuse(struct star_communicator *state, struct star_context *context, int candidate);
/* After a run of NANOSECONDS: counts it, and agrees where that is due. */
void star_context_ran(struct star_communicator *state, struct star_context *context, int64_t nanoseconds);
/* The decision for METHOD that TUNER has made for REASON, when NOW was seen; it takes the place of BEFORE,
 * what was seen at the decision before. */
struct star_switch star_switch_of(const struct star_tuner *tuner, enum star_reason reason, int method,
                                  struct star_seen *before, struct star_seen now);
void star_context_free(struct star_communicator *state, struct star_context *context);
size_t star_context_bytes(const struct star_context *context);

/* forecast.c: orders and prunes the candidates, as the setting says, before the first is measured. Collective
 * over the communicator. */
/* Tells the race on rank 0 what the cost model says, before the first visit or as soon as its budget pays for
 * asking it. */
void star_context_expect(struct star_communicator *state, struct star_context *context);
void star_context_forecast(struct star_communicator *state, struct star_context *context);
/* The two halves of the latter: rank 0 fills LIST, and all ranks take it. Local. */
struct star_forecast_list;
void star_context_foresee(struct star_communicator *state, struct star_context *context,
                          struct star_forecast_list *list);
void star_context_take_forecast(struct star_communicator *state, struct star_context *context,
                                const struct star_forecast_list *list);

/* wisdom.c: asks for what earlier runs learned. Collective over MPI_COMM_WORLD; false when out of memory. */
bool star_wisdom_find(void);
/* Tells the context's tuner what is known of its candidates. Collective over the communicator. */
void star_context_recall(struct star_communicator *state, struct star_context *context);
/* Its two halves, as star_context_forecast's; at most MOST of the fastest, and native. */
struct star_recollections;
void star_context_remember(const struct star_communicator *state, const struct star_context *context,
                           int most, struct star_recollections *known);
void star_context_take_recollections(struct star_context *context, const struct star_recollections *known);
/* Leader only: a method was chosen, which others of this run may learn of. */
void star_wisdom_note_choice(const struct star_communicator *state, const struct star_context *context);
/* Leader only: what this run has learned, at the context's end. */
void star_wisdom_keep(const struct star_communicator *state, const struct star_context *context);
/* At the end: gives what was learned to the store. Collective over MPI_COMM_WORLD. */
void star_wisdom_close_run(void);

/* runners.c: NULL when one rank could not make it: then all get NULL. Collective when it is not at hand. */
struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts);
void star_runner_release(struct star_communicator *state, struct star_shared_runner *runner);
/* The same where nobody may be waited for: NULL: it is not at hand, or not all ranks could make it. Local. */
struct star_shared_runner *star_runner_at_hand(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts);
/* This rank makes one, which is added once all ranks are found to have made theirs; NULL: it cannot. Local.
 */
struct star_shared_runner *star_runner_make(const struct star_communicator *state,
                                            const struct star_method *method, const struct star_facts *facts);
void star_runner_add(struct star_communicator *state, struct star_shared_runner *runner);
void star_runner_discard(struct star_shared_runner *runner);
/* On some rank idle ones take so many bytes, as all ranks know: too many are given back. */
void star_runners_limit(struct star_communicator *state, int64_t idle_bytes);
/* Or is it for calls of so many bytes that only the last one of them is kept? */
bool star_runner_is_kept(const struct star_communicator *state, const struct star_shared_runner *runner);
size_t star_shared_runner_bytes(const struct star_shared_runner *runner);
/* Does it serve calls with these facts? Contexts' calls may differ in root and type. */
bool star_runner_serves(const struct star_shared_runner *runner, const struct star_method *method,
                        const struct star_facts *facts);
void star_runners_free(struct star_communicator *state);
/* Runs it for CALL; MPI error code, not raised. */
int star_runner_run(struct star_communicator *state, struct star_shared_runner *runner,
                    const struct star_call *call, const struct star_facts *facts);

/* verify.c: runs the method on a copy, then native, and compares them. False: it cannot be verified, and
 * nothing has run; else *ERROR is native's, raised already, and *RIGHT the same on all ranks. */
enum { STAR_VERDICT_TEXT = 200 };
bool star_verify(struct star_communicator *state, struct star_shared_runner *runner,
                 const struct star_call *call, const struct star_facts *facts, int *error, bool *right);

/* What the methods of the communicator are built for. */
struct star_shape star_shape_for(const struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts);

/* mockups.c: bytes of scratch that a mock-up needs on this rank for these facts; negative: it cannot. */
int64_t star_mockup_scratch(enum star_mockup mockup, const struct star_communicator *state,
                            const struct star_facts *facts);
/* Runs it on the private communicator; MPI error code, not raised. */
int star_mockup_run(enum star_mockup mockup, const struct star_communicator *state,
                    const struct star_call *call, const struct star_facts *facts, char *scratch);

/* device.c: may a buffer of this process lie in a device's memory? */
bool star_device_possible(void);

/* nodes.c: which ranks share a node. Collective over MPI_COMM_WORLD; false when out of memory. */
bool star_nodes_find(void);
/* The node of each rank of COMM, by first appearance; NULL when all are on one, or it is not known, on all
 * ranks alike. *FAILED: out of memory. */
int *star_nodes_of(MPI_Comm comm, int size, bool *failed);
/* How many there are in such a list of SIZE ranks. */
int star_nodes_count(const int *node, int size);
void star_nodes_forget(void);

/* machine.c: the MPI library, nodes and ranks a node; the rest is not known. Local. */
struct star_map_machine star_machine_here(void);
/* In one line, as wisdom and reports call it: what is measured on one holds for the other where their names
 * are equal. It is what it was when first asked for. Of ranks that know the topology. */
const char *star_machine_name(void);

/* places.c: which machine of the topology each rank runs on. Collective over MPI_COMM_WORLD; false when out
 * of memory. */
bool star_places_find(void);
/* Nobody has said which machines there are, nor that it does not matter. */
bool star_places_are_wanted(void);
/* The switches between the ranks of COMM; NULL when they are not known, on all ranks alike. *FAILED: out of
 * memory. */
struct star_network *star_network_for(MPI_Comm comm, int size, bool *failed);
void star_places_forget(void);

/* maps.c: the decision map that the setting `map` names. Collective over MPI_COMM_WORLD; false when out of
 * memory. */
bool star_maps_find(void);
/* Are the operation's methods the map's affair? Then they are not tuned. */
bool star_maps_know(enum star_operation operation);
/* The map's method for ranks of SHAPE; native where none of the map's applies. */
struct star_method star_maps_choose(enum star_operation operation, const struct star_shape *shape,
                                    int64_t bytes);
void star_maps_forget(void);

/* site.c: module and offset of the caller. Is the caller part of the MPI library itself? */
bool star_is_internal(const void *address);
uint64_t star_site_of(const void *address);
void star_site_name(const void *address, char *buffer, size_t room);
/* The path of the module's file, never freed; NULL where it cannot be told. */
const char *star_site_module(const void *address);

/* info.c: STAR_Info_get; MPI error code. And what a communicator that ends has counted. */
int star_info_get(MPI_Info *info);
void star_info_retire(const struct star_communicator *state);

/* log.c: say, from rank 0 of the communicator and where the setting log asks for it, what was decided, before
 * it is noted in the context; and that CANDIDATE is left out. */
enum { STAR_LOG_NOTHING, STAR_LOG_DECISIONS }; /* of the setting */
void star_log_decision(const struct star_communicator *state, const struct star_context *context,
                       const struct star_decision *decision);
void star_log_left_out(const struct star_communicator *state, const struct star_context *context,
                       int candidate, enum star_reason reason);
/* The same of what is no context; rank RANK of the communicator asks whether it is to. */
struct star_said {
    char about[128];  /* "alltoall 64K bytes" */
    const char *kind; /* of what is measured: "methods" */
    int ranks;
    int64_t calls;
    const char *name, *before; /* what is chosen, or measured, and what was chosen before */
    int measured;              /* so many; 0: it is chosen */
    double seconds, against;   /* of both, as far as they are known */
    enum star_reason reason;
};
bool star_log_is_wanted(int rank);
void star_log_say(const struct star_said *said);
void star_log_say_left_out(const struct star_said *said);

/* ledger.c: what the leaders of communicators remember for the summary and the report. */
void star_ledger_add_communicator(const struct star_communicator *state);
void star_ledger_close(void);
/* What all calls of a context took on this rank: those that were not timed count as those of its method that
 * were. */
double star_context_seconds(const struct star_context *context);

/* warn.c: one line on standard error, from rank 0 of MPI_COMM_WORLD alone, once for each KIND. RANK is this
 * rank's in the communicator that is meant: its rank 0 remembers what rank 0 of MPI_COMM_WORLD may not know.
 */
enum star_warning {
    STAR_WARN_SETTINGS,
    STAR_WARN_UNKNOWN,
    STAR_WARN_DIFFERENT,
    STAR_WARN_FORCE,
    STAR_WARN_SITES,
    STAR_WARN_COMMUNICATORS,
    STAR_WARN_DEVICE,
    STAR_WARN_REPORT,
    STAR_WARN_MEMORY,
    STAR_WARN_UNCHECKED,
    STAR_WARN_CALLERS,
    STAR_WARN_UNVERIFIED,
    STAR_WARN_TOPOLOGY,
    STAR_WARN_MAP,
    STAR_WARN_WISDOM,
    STAR_WARNINGS
};
void star_warn(enum star_warning kind, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what must be said each time: by the communicator's rank 0, at once. */
void star_warn_each(int rank, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Collective over MPI_COMM_WORLD: the warnings that rank 0 could not know. */
void star_warnings_close(void);

#endif
