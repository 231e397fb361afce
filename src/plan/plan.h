/* SPDX-License-Identifier: BSD-3-Clause
 * A plan: what one rank does for one call of one method. Data, not code: it can be run (execute.h), proven
 * (simulate.h) and printed (print.h).
 *
 * Every place is a byte of one of three buffers: what the program sends and receives, seen as the packed
 * bytes of the datatypes' signature, and the plan's own temporary. So a plan is the same whatever the
 * datatypes. */
#ifndef STAR_PLAN_PLAN_H
#define STAR_PLAN_PLAN_H

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum star_buffer { STAR_SENDBUF, STAR_RECVBUF, STAR_TEMP, STAR_BUFFERS };

enum star_step_kind {
    STAR_SEND,   /* start sending LENGTH bytes at FROM to PEER, as request SLOT */
    STAR_RECV,   /* start receiving LENGTH bytes at TO from PEER, as request SLOT */
    STAR_COPY,   /* copy REPEAT runs of LENGTH bytes from FROM to TO */
    STAR_WAIT,   /* wait for the REPEAT requests that begin with SLOT */
    STAR_BARRIER /* wait for all ranks */
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
};

void star_plan_free(struct star_plan *plan);
/* Memory that the plan holds, its temporary not counted. */
size_t star_plan_bytes(const struct star_plan *plan);

/* What a plan is built for: rank RANK of SIZE, and BLOCK bytes for each pair of ranks (alltoall). */
struct star_shape {
    int size, rank;
    int64_t block;
};

/* Building. Steps are added round by round; within a round copies and receives start in the order added, then
 * the sends. A round starts when the rounds before it are complete, as far as the pacing asks (pace.h).
 * Failures stick: an algorithm need not check, star_builder_finish does. */
struct star_builder;

struct star_builder *star_builder_new(const struct star_shape *shape, int64_t temp_limit);
void star_build_round(struct star_builder *builder);
void star_build_send(struct star_builder *builder, int peer, struct star_place from, int64_t length);
void star_build_recv(struct star_builder *builder, int peer, struct star_place to, int64_t length);
void star_build_copy(struct star_builder *builder, struct star_place to, struct star_place from,
                     int64_t length);
/* REPEAT runs of LENGTH bytes, the k-th at offset + k × stride on each side. */
void star_build_strided_copy(struct star_builder *builder, struct star_place to, int64_t to_stride,
                             struct star_place from, int64_t from_stride, int64_t length, int64_t repeat);
/* A fresh piece of the temporary. */
struct star_place star_build_temp(struct star_builder *builder, int64_t bytes);

static inline struct star_place star_at(enum star_buffer buffer, int64_t offset)
{
    return (struct star_place){buffer, offset};
}

static inline struct star_place star_plus(struct star_place place, int64_t bytes)
{
    return (struct star_place){place.buffer, place.offset + bytes};
}

/* How rounds follow each other. */
enum { STAR_SYNC_NONE = 0, STAR_SYNC_LIGHT = -1, STAR_SYNC_BARRIER = -2 }; /* N ≥ 1: N barriers in all */
struct star_pacing {
    int64_t sync;
    int64_t window; /* rounds in flight, ≥ 1 */
};

/* Frees the builder; *PLAN is the paced plan, or NULL when the code returned is not 0. */
int star_builder_finish(struct star_builder *builder, struct star_pacing pacing, struct star_plan **plan,
                        struct star_why *why);

#endif
