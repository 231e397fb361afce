/* SPDX-License-Identifier: BSD-3-Clause
 * A plan: what one rank does for one call of one method. Data, not code: it can be run (execute.h), proven
 * (simulate.h) and printed (print.h).
 *
 * Every place is a byte of one of three buffers: what the program sends and receives, seen as the packed
 * bytes of the datatypes' signature, and the plan's own temporary. So a plan is the same whatever the
 * datatypes.
 *
 * Ranks of one node may do without messages. Each rank then has an area of memory that they all can read, and
 * it alone writes, and a count that starts at 0 in each call. It writes into its area, posts a higher count,
 * and whoever has awaited that count may read what was written before it. What is in the area when the next
 * call begins is left to whoever runs the plan: no call writes where another rank may still read.
 *
 * Where one process may read another one's memory, a rank can also show its buffers themselves. Then it
 * awaits, before it ends, that others have read them: they are the program's again.
 *
 * Operations that give each rank its own count (alltoallv, allgatherv, …) use the plans of the regular ones
 * with blocks of one byte, run in units: place k is then block k, wherever it lies and however long it is. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum star_buffer {
    STAR_SENDBUF,
    STAR_RECVBUF,
    STAR_TEMP,
    STAR_SHARED, /* as what is read, the area of rank PEER; as what is written, this rank's own */
    STAR_BUFFERS
};

enum star_step_kind {
    STAR_STEP_SEND,    /* start sending LENGTH bytes at FROM to PEER, as request SLOT */
    STAR_STEP_RECV,    /* start receiving LENGTH bytes at TO from PEER, as request SLOT */
    STAR_STEP_COPY,    /* copy REPEAT runs of LENGTH bytes from FROM to TO */
    STAR_STEP_REDUCE,  /* TO becomes FROM op TO, for LENGTH bytes: FROM is the left operand */
    STAR_STEP_WAIT,    /* wait for the REPEAT requests that begin with SLOT */
    STAR_STEP_BARRIER, /* wait for all ranks */
    STAR_STEP_POST,    /* this rank's count becomes REPEAT */
    STAR_STEP_AWAIT,   /* wait until PEER's count is REPEAT or more */
    STAR_STEP_SHOW,    /* others may read LENGTH bytes at FROM, where they lie, until the plan ends */
    STAR_STEP_READ,    /* copy LENGTH bytes from PEER's buffer FROM, which it has shown, to TO */
    STAR_STEP_KINDS
};

/* Messages of different channels never match each other. */
enum star_channel { STAR_DATA, STAR_SYNC };

struct star_place {
    enum star_buffer buffer;
    int64_t offset;
};

struct star_step {
    uint8_t kind, channel;
    uint8_t from, to; /* enum star_buffer */
    int32_t round;
    int32_t peer, slot;
    int64_t from_offset, to_offset, length;
    int32_t repeat;
    int64_t from_stride, to_stride; /* between the runs of a copy */
};

struct star_plan {
    struct star_step *steps;
    int64_t temp_bytes;
    int64_t shared_bytes; /* of each rank's area: the same on all ranks; 0: there is none, nor counts */
    int32_t count, slots, rounds;
    int32_t rank, size;
    bool units;         /* places and lengths count blocks, not bytes */
    int64_t vector;     /* bytes of what each rank's call reduces, or of each block of it; in units 0 */
    bool reduces;       /* of a reduction: messages and temporaries are elements of the program's datatype */
    bool pieces;        /* messages are cut anywhere, also inside of an element */
    bool meets;         /* no rank can leave a call before all have come to it */
    bool input_in_recv; /* this rank's input lies in its receive buffer (the root of a bcast) */
    uint64_t rotated;   /* in units: bit p tells that page p of the temporary begins with block RANK, not 0 */
};

void star_plan_free(struct star_plan *plan);
/* Does it hand over by shared memory? */
static inline bool star_plan_shares(const struct star_plan *plan)
{
    return plan->shared_bytes > 0;
}

/* Memory that the plan holds, its temporary not counted. */
size_t star_plan_bytes(const struct star_plan *plan);

/* What the steps of a plan may take where its temporary may take TEMP_LIMIT. */
int64_t star_plan_room(int64_t temp_limit);

/* A number that is the same for plans that do the same, and all but surely another for others: of what PLAN
 * does, and of SEED. */
uint64_t star_plan_digest(const struct star_plan *plan, uint64_t seed);

/* The highest count. */
enum { STAR_POSTS_MOST = 65535 };

struct star_network; /* topology/network.h */
struct star_levels;  /* topology/levels.h */
struct star_part;    /* algorithms/method.h */

/* What a plan is built for: rank RANK of SIZE, and BLOCK bytes: of each pair of ranks (alltoall), of each
 * rank (allgather, gather, scatter, reduce_scatter_block), or in all (bcast, reductions, prefixes). */
struct star_shape {
    int size, rank;
    int root;         /* of operations that have one */
    int64_t block;    /* 1 in units */
    int64_t granule;  /* reductions: bytes of an element, which is never split; BLOCK is a multiple. Else 1 */
    bool commutative; /* the operator of reductions is */
    bool units;       /* blocks differ in length: see above */
    bool shares;      /* the ranks of each node have memory in common, … */
    bool reads;       /* … and may read each other's own, as far as known */
    bool one_way;     /* the tuner tries methods alone in which nobody waits for whom it need not wait for */
    const int *node;  /* the node of each rank, numbered by first appearance; NULL: all on one */
    const struct star_network *network; /* the switches between the ranks; NULL: not known */
    const struct star_levels *levels;   /* where all are on one node; NULL: there are none, or not known */
    const int *order; /* of methods that go by another order than ranks': the ranks in it … */
    const int *turn;  /* … and the place of each rank in it; NULL: by rank */
    /* Of the method that is built: the values of its algorithm's knobs, and the part that the row names. */
    const int64_t *knob;
    const struct star_part *part;
};

static inline struct star_place star_at(enum star_buffer buffer, int64_t offset)
{
    return (struct star_place){buffer, offset};
}

static inline struct star_place star_plus(struct star_place place, int64_t bytes)
{
    return (struct star_place){place.buffer, place.offset + bytes};
}

/* How rounds follow each other. */
enum {
    STAR_SYNC_NONE = 0,
    STAR_SYNC_LIGHT = -1,
    STAR_SYNC_BARRIER = -2,
    STAR_SYNC_NEEDED = -3,      /* the builder's own, where links would be shared */
    STAR_SYNC_NEEDED_EAGER = -4 /* the same for messages that are sent before their receiver is there */
};                              /* N ≥ 1: N barriers in all */
struct star_pacing {
    int64_t sync;
    int64_t segment; /* bytes of the pieces in which messages move; 0: whole */
    int64_t window;  /* rounds, or pieces of messages, in flight, ≥ 1 */
    bool forwards;   /* what comes in one round leaves in the next: only pieces of one round are in flight */
};
