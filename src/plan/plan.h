/* SPDX-License-Identifier: BSD-3-Clause
 * A plan: what one rank does for one call of one method. Data, not code: it can be run (execute.h), proven
 * (simulate.h) and printed (print.h).
 *
 * Every place is a byte of one of three buffers: what the program sends and receives, seen as the packed
 * bytes of the datatypes' signature, and the plan's own temporary. So a plan is the same whatever the
 * datatypes.
 *
 * Operations that give each rank its own count (alltoallv, allgatherv, …) use the plans of the regular ones
 * with blocks of one byte, run in units: place k is then block k, wherever it lies and however long it is. */
#ifndef STAR_PLAN_PLAN_H
#define STAR_PLAN_PLAN_H

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum star_buffer { STAR_SENDBUF, STAR_RECVBUF, STAR_TEMP, STAR_BUFFERS };

enum star_step_kind {
    STAR_STEP_SEND,   /* start sending LENGTH bytes at FROM to PEER, as request SLOT */
    STAR_STEP_RECV,   /* start receiving LENGTH bytes at TO from PEER, as request SLOT */
    STAR_STEP_COPY,   /* copy REPEAT runs of LENGTH bytes from FROM to TO */
    STAR_STEP_REDUCE, /* TO becomes FROM op TO, for LENGTH bytes: FROM is the left operand */
    STAR_STEP_WAIT,   /* wait for the REPEAT requests that begin with SLOT */
    STAR_STEP_BARRIER /* wait for all ranks */
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
    int32_t count, slots, rounds;
    int32_t rank, size;
    bool units;         /* places and lengths count blocks, not bytes */
    int64_t vector;     /* bytes of what each rank's call reduces, or of each block of it; in units 0 */
    bool reduces;       /* of a reduction: messages and temporaries are elements of the program's datatype */
    bool pieces;        /* messages are cut anywhere, also inside of an element */
    bool input_in_recv; /* this rank's input lies in its receive buffer (the root of a bcast) */
    uint64_t rotated;   /* in units: bit p tells that page p of the temporary begins with block RANK, not 0 */
};

void star_plan_free(struct star_plan *plan);
/* Memory that the plan holds, its temporary not counted. */
size_t star_plan_bytes(const struct star_plan *plan);

/* What the steps of a plan may take where its temporary may take TEMP_LIMIT. */
int64_t star_plan_room(int64_t temp_limit);

/* A number that is the same for plans that do the same, and all but surely another for others: of what PLAN
 * does, and of SEED. */
uint64_t star_plan_digest(const struct star_plan *plan, uint64_t seed);

struct star_network; /* topology/network.h */

/* What a plan is built for: rank RANK of SIZE, and BLOCK bytes: of each pair of ranks (alltoall), of each
 * rank (allgather, gather, scatter, reduce_scatter_block), or in all (bcast, reduce, allreduce, scan,
 * exscan).
 */
struct star_shape {
    int size, rank;
    int root;         /* of operations that have one */
    int64_t block;    /* 1 in units */
    int64_t granule;  /* reductions: bytes of an element, which is never split; BLOCK is a multiple. Else 1 */
    bool commutative; /* the operator of reductions is */
    bool units;       /* blocks differ in length: see above */
    bool one_way;     /* the tuner tries methods alone in which nobody waits for whom it need not wait for */
    const int *node;  /* the node of each rank, numbered by first appearance; NULL: all on one */
    const struct star_network *network; /* the switches between the ranks; NULL: not known */
    const int *order; /* of methods that go by another order than ranks': the ranks in it … */
    const int *turn;  /* … and the place of each rank in it; NULL: by rank */
};

/* Building. Steps are added round by round; within a round copies and receives start in the order added, then
 * the sends. A round starts when the rounds before it are complete, as far as the pacing asks (pace.h).
 * Failures stick: an algorithm need not check, star_builder_finish does. */
struct star_builder;

struct star_builder *star_builder_new(const struct star_shape *shape, int64_t temp_limit);
void star_build_round(struct star_builder *builder);
/* Ends the round too, but begins another only if something follows: a step, even one of no bytes, or another
 * end. Parts end with it, so that no synchronisation follows the last round. */
void star_build_end(struct star_builder *builder);
void star_build_send(struct star_builder *builder, int peer, struct star_place from, int64_t length);
void star_build_recv(struct star_builder *builder, int peer, struct star_place to, int64_t length);
void star_build_copy(struct star_builder *builder, struct star_place to, struct star_place from,
                     int64_t length);
/* REPEAT runs of LENGTH bytes, the k-th at offset + k × stride on each side. */
void star_build_strided_copy(struct star_builder *builder, struct star_place to, int64_t to_stride,
                             struct star_place from, int64_t from_stride, int64_t length, int64_t repeat);
/* TO becomes FROM op TO. */
void star_build_reduce(struct star_builder *builder, struct star_place to, struct star_place from,
                       int64_t length);
/* Empty messages: that PEER may know that we came here. */
void star_build_tell(struct star_builder *builder, int peer);
void star_build_hear(struct star_builder *builder, int peer);
/* The same as tell, but no round waits for the peer to hear it: the end of the plan does. */
void star_build_tell_early(struct star_builder *builder, int peer);
/* A fresh piece of the temporary; not in units. */
struct star_place star_build_temp(struct star_builder *builder, int64_t bytes);
/* Room for one block of each rank, in the order 0, 1, … or, ROTATED, RANK, RANK+1, …; in units too. */
struct star_place star_build_page(struct star_builder *builder, int64_t bytes, bool rotated);
/* Zeroed memory for building, freed by star_builder_finish; NULL when there is none, which sticks. */
void *star_build_scratch(struct star_builder *builder, size_t bytes);
/* There is no memory for it. */
void star_build_fail(struct star_builder *builder);
/* The algorithm cannot do it for this shape, though its row did not say so. */
void star_build_refuse(struct star_builder *builder, const char *why);

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

/* Frees the builder; *PLAN is the paced plan, or NULL when the code returned is not 0. */
int star_builder_finish(struct star_builder *builder, struct star_pacing pacing, struct star_plan **plan,
                        struct star_why *why);

#endif
