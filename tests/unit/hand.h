/* SPDX-License-Identifier: BSD-3-Clause
 * Plans written by hand, to put one fault at a time into what is otherwise right. */
#pragma once

#include "algorithms/method.h"
#include "expect.h"
#include "plan/simulate.h"

enum { RANKS_MAX = 8, STEPS_MAX = 64 };
#define BLOCK INT64_C(4)

struct hand {
    struct star_plan plans[RANKS_MAX];
    struct star_step steps[RANKS_MAX][STEPS_MAX];
    enum star_operation operation;
    struct star_shape shape;
    bool in_place;
};

/* No steps yet; the temporary has room for a block of each rank, or a page of units. */
static inline void begin(struct hand *hand, enum star_operation operation, int size)
{
    memset(hand, 0, sizeof *hand);
    bool units = star_operations[operation].units;
    hand->operation = operation;
    hand->shape = star_shape_of(size, units ? 1 : BLOCK);
    hand->shape.units = units;
    for (int r = 0; r < size; r++)
        hand->plans[r] = (struct star_plan){.steps = hand->steps[r],
                                            .temp_bytes = size * hand->shape.block,
                                            .rounds = 1,
                                            .rank = r,
                                            .size = size,
                                            .units = units};
}

static inline struct star_step *add(struct hand *hand, int rank, struct star_step step)
{
    struct star_plan *plan = &hand->plans[rank];
    assert_true(plan->count < STEPS_MAX);
    hand->steps[rank][plan->count] = step;
    return &hand->steps[rank][plan->count++];
}

static inline struct star_step *send(struct hand *hand, int rank, int peer, struct star_place from,
                                     int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_STEP_SEND,
                                  .peer = peer,
                                  .slot = hand->plans[rank].slots++,
                                  .from = (uint8_t)from.buffer,
                                  .from_offset = from.offset,
                                  .length = length,
                                  .repeat = 1});
}

static inline struct star_step *recv(struct hand *hand, int rank, int peer, struct star_place to,
                                     int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_STEP_RECV,
                                  .peer = peer,
                                  .slot = hand->plans[rank].slots++,
                                  .to = (uint8_t)to.buffer,
                                  .to_offset = to.offset,
                                  .length = length,
                                  .repeat = 1});
}

static inline struct star_step *copy(struct hand *hand, int rank, struct star_place to,
                                     struct star_place from, int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_STEP_COPY,
                                  .to = (uint8_t)to.buffer,
                                  .to_offset = to.offset,
                                  .from = (uint8_t)from.buffer,
                                  .from_offset = from.offset,
                                  .length = length,
                                  .repeat = 1});
}

/* TO becomes FROM op TO. */
static inline struct star_step *reduce(struct hand *hand, int rank, struct star_place to,
                                       struct star_place from, int64_t length)
{
    struct star_step *step = copy(hand, rank, to, from, length);
    step->kind = STAR_STEP_REDUCE;
    hand->plans[rank].reduces = true;
    return step;
}

static inline struct star_step *wait_for(struct hand *hand, int rank, int32_t slot, int32_t count)
{
    return add(hand, rank, (struct star_step){.kind = STAR_STEP_WAIT, .slot = slot, .repeat = count});
}

static inline void wait_for_last(struct hand *hand, int rank)
{
    wait_for(hand, rank, hand->plans[rank].slots - 1, 1);
}

/* A message from the one rank to the other, who wait for nothing else meanwhile. */
static inline void move(struct hand *hand, int sender, struct star_place from, int receiver,
                        struct star_place to, int64_t length)
{
    send(hand, sender, receiver, from, length);
    wait_for_last(hand, sender);
    recv(hand, receiver, sender, to, length);
    wait_for_last(hand, receiver);
}

static inline struct star_step *tell(struct hand *hand, int rank, int peer)
{
    struct star_step *step = send(hand, rank, peer, star_at(STAR_TEMP, 0), 0);
    step->channel = STAR_SYNC;
    return step;
}

static inline struct star_step *hear(struct hand *hand, int rank, int peer)
{
    struct star_step *step = recv(hand, rank, peer, star_at(STAR_TEMP, 0), 0);
    step->channel = STAR_SYNC;
    return step;
}

static inline void barrier(struct hand *hand, int rank)
{
    add(hand, rank, (struct star_step){.kind = STAR_STEP_BARRIER});
}

static inline struct star_place input(int64_t offset)
{
    return star_at(STAR_SENDBUF, offset);
}

static inline struct star_place result(int64_t offset)
{
    return star_at(STAR_RECVBUF, offset);
}

static inline struct star_place spare(int64_t offset)
{
    return star_at(STAR_TEMP, offset);
}

/* Of alltoall. */
static inline struct star_place out(int peer)
{
    return input(peer * BLOCK);
}

static inline struct star_place in(int peer)
{
    return result(peer * BLOCK);
}

static inline int verdict_on(const struct hand *hand, struct star_simulation *found, struct star_why *why)
{
    const struct star_plan *plans[RANKS_MAX];
    for (int r = 0; r < hand->shape.size; r++)
        plans[r] = &hand->plans[r];
    return star_simulate(plans, &hand->shape, &star_operations[hand->operation].expected, hand->in_place,
                         found, why);
}

static inline struct star_simulation proof_of(const struct hand *hand)
{
    struct star_simulation found = {0};
    struct star_why why = {{0}};
    if (verdict_on(hand, &found, &why) != 0)
        fail_msg("%s", why.text);
    return found;
}

static inline void expect_proven(const struct hand *hand)
{
    proof_of(hand);
}

/* The reason names a rank, and also WORD. */
static inline void expect_caught_as(const struct hand *hand, const char *word)
{
    struct star_why why = {{0}};
    if (verdict_on(hand, NULL, &why) != STAR_EWRONG)
        fail_msg("not caught");
    expect_reason(&why, "rank");
    expect_reason(&why, word);
    assert_int_equal(verdict_on(hand, NULL, NULL), STAR_EWRONG);
}

static inline void expect_caught(const struct hand *hand)
{
    expect_caught_as(hand, "");
}

static inline struct star_step *find(struct hand *hand, int rank, int kind)
{
    for (int32_t i = 0; i < hand->plans[rank].count; i++)
        if (hand->steps[rank][i].kind == kind)
            return &hand->steps[rank][i];
    fail_msg("no step of kind %d", kind);
    return NULL;
}

static inline void erase(struct hand *hand, int rank, int kind)
{
    struct star_step *step = find(hand, rank, kind), *end = hand->steps[rank] + hand->plans[rank].count--;
    memmove(step, step + 1, (size_t)(end - step - 1) * sizeof *step);
}
