/* SPDX-License-Identifier: BSD-3-Clause
 * What is kept of a communicator, of its contexts, and of the runners that these share: types alone. */
#pragma once

#include "algorithms/methods.h"
#include "plan/cost.h"
#include "runtime/call.h"
#include "subject/subject.h"
#include "topology/network.h"
#include "util/prospect.h"

#include <mpi.h>
#include <stdatomic.h>

struct star_talk;
struct star_background;
struct star_begun;
struct star_found_order;

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

/* What is known of a candidate besides its times. */
struct star_use {
    bool verified, wrong, unable; /* UNABLE: where ranks talk, not all could make a plan */
    int32_t plans;                /* made for it at calls, as for other roots */
};

/* What is tuned independently: calls of one operation, with one size, on one communicator. */
struct star_context {
    struct star_subject subject; /* its alternatives are CANDIDATES. The first member */
    enum star_operation operation;
    bool straight;               /* is native what runs untimed? */
    bool early;                  /* native alone, until its calls promise to pay: see promise.h; */
    int64_t look;                /* at this call the ranks ask each other whether they do; */
    int64_t noted, idle_since;   /* calls when it was last seen to be used, and when: see sizes.c */
    bool talks;                  /* its ranks agree by talks: see rooted.c; then: */
    bool fresh;                  /* not all ranks are known to have it; */
    bool stub, poor;             /* this rank has no memory for it; for its candidates; */
    bool due, lacks;             /* an agreement, or plans for one of VARIANTS, are due; */
    bool forgets;                /* this rank has no memory for all variants; */
    int resting;                 /* the candidate that runs while a talk about it goes on */
    struct star_facts *variants; /* what plans are for: each root that has come, … */
    int varying;
    struct star_shared_runner **making; /* plans that not all ranks are known to have made */
    int makings;
    struct star_facts facts;
    uint64_t site;
    struct star_methods candidates;
    struct star_use *uses;           /* of each */
    struct star_prospect *predicted; /* of each candidate; NULL: nothing is. Leader only */
    double patience;                 /* seconds that predicting might take when it was last tried */
    bool compared;                   /* which candidates are the same: the leader has told its tuner */
    int pruned;                      /* so many were left out for what was predicted */
    int current;                     /* candidate that RUNNER runs; NULL runner: native */
    struct star_shared_runner *runner;
    struct star_spread waits; /* leader: sums over the calls of periods of MONITOR, */
    int64_t judged;           /* and how many these were */
    char caller[80];          /* of the call that it was made at; its module's path, or NULL */
    const char *module;
    struct star_context *next; /* of the communicator, made before */
};

/* Those of a communicator: see siblings.c. */
struct star_contexts {
    struct star_context *first, *found; /* the last one made, and found */
    struct star_siblings **buckets;
    int64_t room, count; /* of buckets, and siblings */
    int stubs;           /* so many contexts are, which no siblings have */
};

struct star_communicator {
    bool native_only; /* size 1, inter-communicator, refused: never tuned */
    bool known;       /* a call has come: what stands below is found out */
    bool listed;      /* among those that are told of at the end */
    bool open, able;  /* what this rank alone does to tune it was tried, and done */
    bool crowded;     /* too many were open before it */
    bool tuned;       /* all ranks are able */
    bool shares;      /* they share memory, or have tried to, or talk about it: sharing.h; then it is */
    struct star_segment *coming; /* there, until all have it; or NULL */
    bool devices;                /* the MPI library takes buffers in a device's memory. Once open */
    bool checked;                /* with the setting: until a communicator for it cannot be made */
    bool site_mismatch;          /* once seen, contexts have no site */
    int size, rank;
    int *node;                      /* of each rank, or NULL: see nodes.c */
    struct star_network *network;   /* or NULL: see places.c */
    struct star_networks *networks; /* leader: what contexts have found out of it; NULL: nothing */
    struct star_repeat *repeats;    /* once tuned, or NULL: see repeat.h */
    int64_t calls;                  /* also those that are wrong, which others may not know of */
    int64_t again, wait;            /* paused: nothing new before call AGAIN, and then for WAIT calls */
    int64_t agreeing;               /* nanoseconds that agreeing on little takes; 0: not known */
    int64_t asked;           /* after so many calls of contexts that await all the ranks asked; 0: never */
    uint64_t sites;          /* hash of the sequence of call sites */
    struct star_route route; /* of its messages; `whole` is the program's communicator. Once open */
    int *world;              /* the rank in MPI_COMM_WORLD of each rank; NULL: the same */
    MPI_Comm private;        /* where no messages travel on MPI_COMM_WORLD's duplicate */
    MPI_Comm of;             /* whose state it is, where no attribute says so: aside.h */
    int64_t id;              /* ids.h */
    struct star_talk *talk;  /* talk.h; while it is open, or NULL */
    bool talked;             /* a talk has begun: the same on all ranks */
    struct star_found_order *order; /* rank 0: the last one found for a topology; NULL: none. See reorder.c */
    struct star_begun *begun;       /* nonblocking.h; NULL: not yet, or */
    bool begins_natively;           /* never */
    uint8_t rests[STAR_OPERATIONS]; /* so many of its next short calls are native's, and nobody looks */
    int begins;                     /* so many calls came before it is looked for */
    struct star_background *background; /* background.h; NULL: not yet, or */
    bool background_found;              /* is it known whether */
    bool background_natively;           /* never */
    bool counted, several;              /* is it known whether its ranks run on several nodes? They do */
    int children;                    /* so many communicators were made of it by all of its ranks together */
    bool idup;                       /* MPI_Comm_idup was called on it */
    MPI_Comm checking;               /* once checked */
    struct star_communicator *aside; /* the next one of those */
    struct star_contexts contexts;
    struct star_runners runners;
    int64_t misses, hits;                 /* of runners for sizes past the bound */
    int64_t other_calls[STAR_OPERATIONS]; /* of sizes past the bound */
    int evicted;                          /* contexts of sizes that were called no longer */
    struct star_communicator *next, *previous;
};
