/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator proves good plans and catches each kind of fault. A fault is put alone into plans that are
 * otherwise right, so that nothing else can have given it away. */
#include "algorithms/method.h"
#include "expect.h"
#include "plan/simulate.h"

#include <stdio.h>

enum { RANKS_MAX = 8, STEPS_MAX = 64 };
#define BLOCK INT64_C(4)

/* Plans written by hand, of up to RANKS_MAX ranks. */
struct hand {
    struct star_plan plans[RANKS_MAX];
    struct star_step steps[RANKS_MAX][STEPS_MAX];
    int size;
};

static struct star_step *add(struct hand *hand, int rank, struct star_step step)
{
    struct star_plan *plan = &hand->plans[rank];
    assert_true(plan->count < STEPS_MAX);
    hand->steps[rank][plan->count] = step;
    return &hand->steps[rank][plan->count++];
}

static struct star_step *send(struct hand *hand, int rank, int peer, struct star_place from, int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_SEND,
                                  .peer = peer,
                                  .slot = hand->plans[rank].slots++,
                                  .from = (uint8_t)from.buffer,
                                  .from_offset = from.offset,
                                  .length = length,
                                  .repeat = 1});
}

static struct star_step *recv(struct hand *hand, int rank, int peer, struct star_place to, int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_RECV,
                                  .peer = peer,
                                  .slot = hand->plans[rank].slots++,
                                  .to = (uint8_t)to.buffer,
                                  .to_offset = to.offset,
                                  .length = length,
                                  .repeat = 1});
}

static struct star_step *copy(struct hand *hand, int rank, struct star_place to, struct star_place from,
                              int64_t length)
{
    return add(hand, rank,
               (struct star_step){.kind = STAR_COPY,
                                  .to = (uint8_t)to.buffer,
                                  .to_offset = to.offset,
                                  .from = (uint8_t)from.buffer,
                                  .from_offset = from.offset,
                                  .length = length,
                                  .repeat = 1});
}

static struct star_step *wait_for(struct hand *hand, int rank, int32_t slot, int32_t count)
{
    return add(hand, rank, (struct star_step){.kind = STAR_WAIT, .slot = slot, .repeat = count});
}

static void barrier(struct hand *hand, int rank)
{
    add(hand, rank, (struct star_step){.kind = STAR_BARRIER});
}

static struct star_place out(int peer)
{
    return star_at(STAR_SENDBUF, peer * BLOCK);
}

static struct star_place in(int peer)
{
    return star_at(STAR_RECVBUF, peer * BLOCK);
}

static void start(struct hand *hand, int size)
{
    memset(hand, 0, sizeof *hand);
    hand->size = size;
    for (int r = 0; r < size; r++) {
        hand->plans[r] = (struct star_plan){
            .steps = hand->steps[r], .temp_bytes = 3 * BLOCK, .rounds = 1, .rank = r, .size = size};
        copy(hand, r, in(r), out(r), BLOCK);
    }
}

static int verdict_on(struct hand *hand, struct star_simulation *result, struct star_why *why)
{
    const struct star_plan *plans[RANKS_MAX];
    for (int r = 0; r < hand->size; r++)
        plans[r] = &hand->plans[r];
    struct star_expectation expected = star_operations[STAR_ALLTOALL].expect(hand->size, BLOCK);
    return star_simulate(plans, &expected, result, why);
}

static void expect_proven(struct hand *hand)
{
    struct star_why why = {{0}};
    if (verdict_on(hand, NULL, &why) != 0)
        fail_msg("%s", why.text);
}

static void expect_caught(struct hand *hand)
{
    struct star_why why = {{0}};
    if (verdict_on(hand, NULL, &why) != STAR_EWRONG)
        fail_msg("not caught");
    expect_reason(&why, "rank");
    assert_int_equal(verdict_on(hand, NULL, NULL), STAR_EWRONG);
}

/* The exchange of one rank of two, right in every way: the receive is slot 0, the send slot 1. */
static void exchange(struct hand *hand, int rank)
{
    recv(hand, rank, 1 - rank, in(1 - rank), BLOCK);
    send(hand, rank, 1 - rank, out(1 - rank), BLOCK);
    wait_for(hand, rank, 0, 2);
}

static void start_pair(struct hand *hand)
{
    start(hand, 2);
    exchange(hand, 0);
    exchange(hand, 1);
}

static struct star_step *find(struct hand *hand, int rank, int kind)
{
    for (int32_t i = 0; i < hand->plans[rank].count; i++)
        if (hand->steps[rank][i].kind == kind)
            return &hand->steps[rank][i];
    fail_msg("no step of kind %d", kind);
    return NULL;
}

static void erase(struct hand *hand, int rank, int kind)
{
    struct star_step *step = find(hand, rank, kind), *end = hand->steps[rank] + hand->plans[rank].count--;
    memmove(step, step + 1, (size_t)(end - step - 1) * sizeof *step);
}

static void a_right_exchange_is_proven_and_counted(void **state)
{
    (void)state;
    struct hand hand;
    struct star_simulation result;
    start_pair(&hand);
    assert_int_equal(verdict_on(&hand, &result, NULL), 0);
    assert_int_equal(result.messages, 2);
    assert_int_equal(result.tokens, 0);
    assert_int_equal(result.bytes, 2 * BLOCK);
    assert_int_equal(result.rounds, 1);
}

static void the_wrong_block_sent_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_SEND)->from_offset = 0;
    expect_caught(&hand);
}

static void a_block_shifted_by_a_byte_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_SEND)->from_offset -= 1;
    expect_caught(&hand);
}

static void the_wrong_place_received_into_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_RECV)->to_offset = BLOCK;
    expect_caught(&hand);
}

static void a_send_longer_than_its_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    struct star_step *step = find(&hand, 1, STAR_SEND);
    step->length++;
    step->from_offset = 0;
    expect_caught(&hand);
}

static void a_send_shorter_than_its_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_SEND)->length--;
    expect_caught(&hand);
}

static void a_message_short_on_both_sides_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_SEND)->length--;
    find(&hand, 0, STAR_RECV)->length--;
    expect_caught(&hand);
}

static void a_missing_send_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    erase(&hand, 1, STAR_SEND);
    hand.plans[1].slots = 1;
    find(&hand, 1, STAR_WAIT)->repeat = 1;
    expect_caught(&hand);
}

static void a_missing_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    erase(&hand, 1, STAR_RECV);
    hand.plans[1].slots = 1;
    find(&hand, 1, STAR_SEND)->slot = 0;
    find(&hand, 1, STAR_WAIT)->repeat = 1;
    copy(&hand, 1, in(0), out(0), BLOCK);
    expect_caught(&hand);
}

static void a_message_left_over_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    send(&hand, 0, 1, out(0), 1); /* nobody receives it, nobody waits for it */
    expect_caught(&hand);
    start_pair(&hand);
    recv(&hand, 0, 1, star_at(STAR_TEMP, 0), 1);
    expect_caught(&hand);
}

static void messages_of_different_channels_never_meet(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_SEND)->channel = STAR_SYNC;
    expect_caught(&hand);
}

static void messages_of_a_pair_meet_in_order(void **state)
{
    (void)state;
    struct hand hand;
    for (int swapped = 0; swapped < 2; swapped++) {
        start(&hand, 2);
        for (int r = 0; r < 2; r++) {
            struct star_place half = star_plus(in(1 - r), BLOCK / 2);
            recv(&hand, r, 1 - r, swapped && r ? half : in(1 - r), BLOCK / 2);
            recv(&hand, r, 1 - r, swapped && r ? in(1 - r) : half, BLOCK / 2);
            send(&hand, r, 1 - r, out(1 - r), BLOCK / 2);
            send(&hand, r, 1 - r, star_plus(out(1 - r), BLOCK / 2), BLOCK / 2);
            wait_for(&hand, r, 0, 4);
        }
        swapped ? expect_caught(&hand) : expect_proven(&hand);
    }
}

/* A ring of three in which rank r first sends and waits, or, where POLITE, rank 0 first receives. */
static void start_blocking_ring(struct hand *hand, bool polite)
{
    start(hand, 3);
    for (int round = 1; round < 3; round++)
        for (int r = 0; r < 3; r++) {
            int to = (r + round) % 3, from = (r - round + 3) % 3;
            for (int turn = 0; turn < 2; turn++) {
                if ((turn == 0) == !(polite && r == 0))
                    send(hand, r, to, out(to), BLOCK);
                else
                    recv(hand, r, from, in(from), BLOCK);
                wait_for(hand, r, hand->plans[r].slots - 1, 1);
            }
        }
}

static void a_cycle_of_blocking_sends_is_a_deadlock(void **state)
{
    (void)state;
    struct hand hand;
    start_blocking_ring(&hand, false);
    expect_caught(&hand);
    start_blocking_ring(&hand, true);
    expect_proven(&hand);
}

static void a_cycle_of_blocking_receives_is_a_deadlock(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    for (int r = 0; r < 2; r++) {
        recv(&hand, r, 1 - r, in(1 - r), BLOCK);
        wait_for(&hand, r, 0, 1);
        send(&hand, r, 1 - r, out(1 - r), BLOCK);
        wait_for(&hand, r, 1, 1);
    }
    expect_caught(&hand);
}

static void a_read_of_what_was_never_written_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    copy(&hand, 0, star_at(STAR_TEMP, 0), star_at(STAR_TEMP, BLOCK), 1);
    expect_caught(&hand);
    start(&hand, 2); /* the receive buffer, before anything came */
    copy(&hand, 0, star_at(STAR_TEMP, 0), in(1), 1);
    exchange(&hand, 0);
    exchange(&hand, 1);
    expect_caught(&hand);
    start_pair(&hand); /* a message of it, which nobody uses */
    send(&hand, 0, 1, star_at(STAR_TEMP, 0), 1);
    wait_for(&hand, 0, 2, 1);
    recv(&hand, 1, 0, star_at(STAR_TEMP, 0), 1);
    wait_for(&hand, 1, 2, 1);
    expect_caught(&hand);
}

static void a_touch_outside_a_buffer_is_caught(void **state)
{
    (void)state;
    static const int64_t outside[] = {3 * BLOCK, 3 * BLOCK - 1, -1, INT64_MAX, INT64_MAX - 1, INT64_MIN};
    for (int reads = 0; reads < 2; reads++)
        for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
            struct hand hand;
            start_pair(&hand);
            copy(&hand, 1, star_at(STAR_TEMP, 0), out(0), BLOCK);
            struct star_place there = star_at(STAR_TEMP, outside[i]);
            if (reads)
                copy(&hand, 1, star_at(STAR_TEMP, BLOCK), there, 2);
            else
                copy(&hand, 1, there, out(0), 2);
            expect_caught(&hand);
        }
}

static void a_strided_copy_is_checked_to_its_last_run(void **state)
{
    (void)state;
    struct hand hand;
    for (int64_t stride = 3; stride <= 5; stride++) {
        start_pair(&hand);
        struct star_step *step = copy(&hand, 1, star_at(STAR_TEMP, 0), out(0), 2);
        step->repeat = 3;
        step->to_stride = stride; /* 3 runs of 2 bytes in 12: a stride of 5 ends at the last byte */
        expect_proven(&hand);
    }
    static const int64_t bad[] = {6, -1, INT64_MAX, INT64_MIN, INT64_MAX / 2};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        start_pair(&hand);
        struct star_step *step = copy(&hand, 1, star_at(STAR_TEMP, 0), out(0), 2);
        step->repeat = 3;
        step->to_stride = bad[i];
        expect_caught(&hand);
    }
}

static void a_write_into_the_send_buffer_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    copy(&hand, 0, out(1), out(1), BLOCK); /* even of what is there */
    expect_caught(&hand);
    start_pair(&hand);
    send(&hand, 0, 1, out(0), 1);
    wait_for(&hand, 0, 2, 1);
    recv(&hand, 1, 0, out(1), 1);
    wait_for(&hand, 1, 2, 1);
    expect_caught(&hand);
}

/* Rank 0 sends by way of its temporary, and touches it while rank 1, or not yet, has received. */
static void start_staged(struct hand *hand, int late)
{
    start(hand, 2);
    if (late == 0)
        exchange(hand, 1);
    copy(hand, 0, star_at(STAR_TEMP, 0), out(1), BLOCK);
    recv(hand, 0, 1, in(1), BLOCK);
    send(hand, 0, 1, star_at(STAR_TEMP, 0), BLOCK);
    if (late == 1) {
        add(hand, 1, (struct star_step){.kind = STAR_WAIT});
        exchange(hand, 1);
    }
}

static void a_write_while_a_send_owns_the_bytes_is_caught(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++)
        for (int touched = 0; touched < 2; touched++) {
            struct hand hand;
            start_staged(&hand, late);
            if (touched)
                copy(&hand, 0, star_at(STAR_TEMP, 0), out(1), BLOCK); /* the same bytes again */
            wait_for(&hand, 0, 0, 2);
            touched ? expect_caught(&hand) : expect_proven(&hand);
        }
}

static void a_matched_send_owns_its_bytes_until_it_is_waited_for(void **state)
{
    (void)state;
    struct hand hand;
    start_staged(&hand, 0);
    wait_for(&hand, 0, 0, 1); /* the receive, so rank 1 has come this far */
    copy(&hand, 0, star_at(STAR_TEMP, BLOCK - 1), out(0), 1);
    wait_for(&hand, 0, 1, 1);
    expect_caught(&hand);
}

static void two_sends_may_share_their_bytes(void **state)
{
    (void)state;
    struct hand hand;
    start_staged(&hand, 0);
    send(&hand, 0, 1, star_at(STAR_TEMP, 0), BLOCK);
    copy(&hand, 0, star_at(STAR_TEMP, BLOCK), star_at(STAR_TEMP, 0), BLOCK);
    wait_for(&hand, 0, 0, 3);
    recv(&hand, 1, 0, star_at(STAR_TEMP, 0), BLOCK);
    wait_for(&hand, 1, 2, 1);
    expect_proven(&hand);
}

static void a_read_while_a_receive_is_outstanding_is_caught(void **state)
{
    (void)state;
    for (int reader = 0; reader < 2; reader++) {
        struct hand hand;
        start(&hand, 2);
        exchange(&hand, 1 - reader);
        copy(&hand, reader, in(1 - reader), out(reader), BLOCK); /* so it is written already */
        recv(&hand, reader, 1 - reader, in(1 - reader), BLOCK);
        send(&hand, reader, 1 - reader, out(1 - reader), BLOCK);
        copy(&hand, reader, star_at(STAR_TEMP, 0), in(1 - reader), 1);
        wait_for(&hand, reader, 0, 2);
        expect_caught(&hand);
    }
}

static void a_send_of_what_is_being_received_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    exchange(&hand, 1);
    copy(&hand, 0, in(1), out(0), BLOCK);
    recv(&hand, 0, 1, in(1), BLOCK);
    send(&hand, 0, 1, out(1), BLOCK);
    send(&hand, 0, 1, in(1), BLOCK);
    wait_for(&hand, 0, 0, 3);
    recv(&hand, 1, 0, star_at(STAR_TEMP, 0), BLOCK);
    wait_for(&hand, 1, 2, 1);
    expect_caught(&hand);
}

static void two_receives_into_the_same_bytes_are_caught(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    recv(&hand, 0, 1, in(1), BLOCK);
    recv(&hand, 0, 1, in(1), BLOCK);
    send(&hand, 0, 1, out(1), BLOCK);
    wait_for(&hand, 0, 0, 3);
    recv(&hand, 1, 0, in(0), BLOCK);
    send(&hand, 1, 0, out(0), BLOCK);
    send(&hand, 1, 0, out(0), BLOCK);
    wait_for(&hand, 1, 0, 3);
    expect_caught(&hand);
}

static void a_write_while_a_receive_is_outstanding_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    recv(&hand, 0, 1, in(1), BLOCK);
    send(&hand, 0, 1, out(1), BLOCK);
    copy(&hand, 0, in(1), out(0), 1);
    wait_for(&hand, 0, 0, 2);
    exchange(&hand, 1);
    expect_caught(&hand);
}

static void a_request_never_waited_for_is_caught(void **state)
{
    (void)state;
    for (int slot = 0; slot < 2; slot++) {
        struct hand hand;
        start_pair(&hand);
        struct star_step *wait = find(&hand, 1, STAR_WAIT);
        wait->slot = slot;
        wait->repeat = 1;
        expect_caught(&hand);
    }
}

static void a_request_used_twice_is_caught(void **state)
{
    (void)state;
    for (int waited = 0; waited < 2; waited++) {
        struct hand hand;
        start_pair(&hand);
        if (!waited)
            hand.plans[0].count--;
        send(&hand, 0, 1, out(0), 1)->slot = 1;
        hand.plans[0].slots = 2;
        wait_for(&hand, 0, 0, 2);
        recv(&hand, 1, 0, star_at(STAR_TEMP, 0), 1);
        wait_for(&hand, 1, 2, 1);
        expect_caught(&hand);
    }
}

static void requests_that_are_not_there_are_caught(void **state)
{
    (void)state;
    static const int32_t odd[][2] = {{-1, 2},        {2, 1},  {0, 3},        {1, INT32_MAX},
                                     {INT32_MAX, 1}, {0, -1}, {INT32_MIN, 1}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct hand hand;
        start_pair(&hand);
        wait_for(&hand, 0, odd[i][0], odd[i][1]);
        expect_caught(&hand);
        start_pair(&hand);
        if (odd[i][0] != 0 && odd[i][0] != 1) {
            find(&hand, 0, STAR_SEND)->slot = odd[i][0];
            expect_caught(&hand);
        }
    }
}

static void a_wait_before_the_start_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    exchange(&hand, 1);
    recv(&hand, 0, 1, in(1), BLOCK);
    wait_for(&hand, 0, 0, 2);
    send(&hand, 0, 1, out(1), BLOCK);
    expect_caught(&hand);
}

static void a_barrier_that_not_all_reach_is_caught(void **state)
{
    (void)state;
    for (int reaching = 0; reaching <= 3; reaching++) {
        struct hand hand;
        start_blocking_ring(&hand, true);
        for (int r = 0; r < reaching; r++)
            barrier(&hand, 2 - r);
        reaching == 1 || reaching == 2 ? expect_caught(&hand) : expect_proven(&hand);
    }
}

static void one_barrier_more_on_one_rank_is_caught(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct hand hand;
        start_pair(&hand);
        for (int i = 0; i < 3; i++) {
            barrier(&hand, 0);
            barrier(&hand, 1);
        }
        if (more)
            barrier(&hand, 1);
        more ? expect_caught(&hand) : expect_proven(&hand);
    }
}

static void a_barrier_between_a_blocking_send_and_its_receive_is_a_deadlock(void **state)
{
    (void)state;
    struct hand hand;
    start(&hand, 2);
    recv(&hand, 0, 1, in(1), BLOCK);
    send(&hand, 0, 1, out(1), BLOCK);
    wait_for(&hand, 0, 0, 2);
    barrier(&hand, 0);
    barrier(&hand, 1);
    exchange(&hand, 1);
    expect_caught(&hand);
}

static void a_message_to_itself_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    recv(&hand, 0, 0, star_at(STAR_TEMP, 0), 1);
    send(&hand, 0, 0, out(0), 1);
    wait_for(&hand, 0, 2, 2);
    expect_caught(&hand);
}

static void a_message_to_nobody_is_caught(void **state)
{
    (void)state;
    static const int32_t nobody[] = {2, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) {
        struct hand hand;
        start_pair(&hand);
        find(&hand, 0, STAR_SEND)->peer = nobody[i];
        expect_caught(&hand);
        start_pair(&hand);
        find(&hand, 1, STAR_RECV)->peer = nobody[i];
        expect_caught(&hand);
    }
}

static void steps_and_buffers_of_no_kind_are_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    add(&hand, 0, (struct star_step){.kind = 77});
    expect_caught(&hand);
    start_pair(&hand);
    find(&hand, 0, STAR_SEND)->from = STAR_BUFFERS;
    expect_caught(&hand);
    start_pair(&hand);
    find(&hand, 0, STAR_RECV)->to = 200;
    expect_caught(&hand);
    start_pair(&hand);
    find(&hand, 0, STAR_COPY)->to = STAR_BUFFERS;
    expect_caught(&hand);
}

static void a_negative_length_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_SEND)->length = -BLOCK;
    expect_caught(&hand);
    start_pair(&hand);
    copy(&hand, 0, star_at(STAR_TEMP, BLOCK), out(0), -1);
    expect_caught(&hand);
}

/* A builder that leaves out the round's receive, found by way of the public path. */
static void build_deaf(struct star_builder *builder, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    star_build_copy(builder, in(shape->rank), out(shape->rank), BLOCK);
    for (int i = 1; i < shape->size; i++)
        star_build_send(builder, (shape->rank + i) % shape->size, out((shape->rank + i) % shape->size),
                        BLOCK);
}

static void build_doubling(struct star_builder *builder, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    int peer = shape->rank ^ 1;
    star_build_copy(builder, in(shape->rank), out(shape->rank), BLOCK);
    star_build_recv(builder, peer, in(peer), BLOCK);
    star_build_send(builder, peer, out(peer), BLOCK);
}

static void a_wrong_algorithm_is_not_proven(void **state)
{
    (void)state;
    struct star_algorithm algorithm = {.operation = STAR_ALLTOALL, .name = "deaf", .build = build_deaf};
    struct star_method method = {.algorithm = &algorithm};
    struct star_why why = {{0}};
    assert_int_equal(star_method_prove(&method, 3, BLOCK, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "rank");
    algorithm.build = build_doubling; /* right for two ranks, not for four */
    assert_int_equal(star_method_prove(&method, 2, BLOCK, NULL, NULL), 0);
    assert_int_equal(star_method_prove(&method, 4, BLOCK, NULL, &why), STAR_EWRONG);
}

static int is_proven(const struct star_method *method, void *context)
{
    int size = *(int *)context;
    char text[STAR_METHOD_TEXT];
    star_method_format(method, text, sizeof text);
    bool applies = star_method_applies(method, size, NULL) == 0;
    for (int64_t block = 0; block <= 7 && applies && !star_is_native(method); block += block + 1) {
        struct star_simulation result;
        struct star_why why = {{0}};
        if (star_method_prove(method, size, block, &result, &why) != 0)
            fail_msg("%s of %d ranks, %lld bytes: %s", text, size, (long long)block, why.text);
        if (block == 0)
            assert_int_equal(result.messages, 0);
        else
            assert_true(result.bytes >= (int64_t)size * (size - 1) / 2 * block);
    }
    return 0;
}

static void all_methods_are_proven(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        for (int size = 1; size <= 17; size++)
            star_methods_each(operation, true, is_proven, &size);
}

static void ring_moves_each_byte_once(void **state)
{
    (void)state;
    struct star_method method;
    struct star_simulation result;
    star_method_parse("alltoall:ring,sync=light", &method, NULL);
    assert_int_equal(star_method_prove(&method, 6, 10, &result, NULL), 0);
    assert_int_equal(result.messages, 6 * 5);
    assert_int_equal(result.bytes, 6 * 5 * 10);
    assert_int_equal(result.tokens, 6 * 4);
    assert_int_equal(result.rounds, 5);
}

static void a_right_plan_stays_right_whatever_the_window(void **state)
{
    (void)state;
    static const char *const syncs[] = {"none", "light", "barrier", "barriers:1", "barriers:4"};
    for (size_t s = 0; s < 5; s++)
        for (int window = 1; window < 10; window++) {
            char text[64];
            struct star_method method;
            snprintf(text, sizeof text, "alltoall:ring,sync=%s,window=%d", syncs[s], window);
            assert_int_equal(star_method_parse(text, &method, NULL), 0);
            assert_int_equal(star_method_prove(&method, 7, 2, NULL, NULL), 0);
        }
}

/* Random single mutations of the plans of all ranks. */
struct victim {
    struct star_method method;
    struct star_plan *plans[9];
    int size;
    int64_t block;
};

static bool choose_victim(struct victim *victim, uint64_t *seed)
{
    static const char *const methods[] = {"alltoall:ring",
                                          "alltoall:ring,sync=light,window=2",
                                          "alltoall:ring,sync=barriers:1",
                                          "alltoall:pair,sync=light",
                                          "alltoall:bruck",
                                          "alltoall:bruck,radix=3",
                                          "alltoall:simple",
                                          "alltoall:linear",
                                          "alltoall:ring,sync=barrier,window=3",
                                          "alltoall:mesh2d",
                                          "alltoall:rdb"};
    star_method_parse(methods[random_below(seed, sizeof methods / sizeof *methods)], &victim->method, NULL);
    victim->size = 2 + (int)random_below(seed, 8);
    victim->block = 1 + (int64_t)random_below(seed, 5);
    if (star_method_applies(&victim->method, victim->size, NULL))
        return false;
    for (int r = 0; r < victim->size; r++) {
        struct star_shape shape = {.size = victim->size, .rank = r, .block = victim->block};
        assert_int_equal(star_method_plan(&victim->method, &shape, INT64_MAX, &victim->plans[r], NULL), 0);
    }
    return true;
}

static int verdict_on_victim(struct victim *victim, struct star_why *why)
{
    struct star_expectation expected = star_operations[STAR_ALLTOALL].expect(victim->size, victim->block);
    return star_simulate((const struct star_plan *const *)victim->plans, &expected, NULL, why);
}

static void free_victim(struct victim *victim)
{
    for (int r = 0; r < victim->size; r++)
        star_plan_free(victim->plans[r]);
}

static struct star_step *choose_step(struct victim *victim, uint64_t *seed)
{
    struct star_plan *plan = victim->plans[random_below(seed, (uint64_t)victim->size)];
    return plan->count ? &plan->steps[random_below(seed, (uint64_t)plan->count)] : NULL;
}

/* A small number, a neighbour of VALUE, or one of those at which sums overflow. */
static int64_t odd_number(uint64_t *seed, int64_t value)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, INT64_MAX - 3, -1, 0, 1};
    switch (random_below(seed, 3)) {
    case 0:
        return (int64_t)random_below(seed, 40) - 10;
    case 1:
        return value + (int64_t)random_below(seed, 9) - 4;
    default:
        return extremes[random_below(seed, 8)];
    }
}

static void mutate(struct star_step *step, uint64_t *seed)
{
    switch (random_below(seed, 13)) {
    case 0:
        step->kind = (uint8_t)random_below(seed, 7);
        break;
    case 1:
        step->channel = (uint8_t)random_below(seed, 3);
        break;
    case 2:
        step->from = (uint8_t)random_below(seed, 5);
        break;
    case 3:
        step->to = (uint8_t)random_below(seed, 5);
        break;
    case 4:
        step->round = (int32_t)odd_number(seed, step->round);
        break;
    case 5:
        step->peer = (int32_t)odd_number(seed, step->peer);
        break;
    case 6:
        step->slot = (int32_t)odd_number(seed, step->slot);
        break;
    case 7:
        step->from_offset = odd_number(seed, step->from_offset);
        break;
    case 8:
        step->to_offset = odd_number(seed, step->to_offset);
        break;
    case 9:
        step->length = odd_number(seed, step->length);
        break;
    case 10:
        step->repeat = (int32_t)random_below(seed, 100) - 20;
        break;
    case 11:
        step->from_stride = odd_number(seed, step->from_stride);
        break;
    default:
        step->to_stride = odd_number(seed, step->to_stride);
        break;
    }
}

static void no_mutation_brings_the_simulator_down(void **state)
{
    (void)state;
    uint64_t seed = 20240607;
    int proven = 0, caught = 0;
    for (int i = 0; i < 20000; i++) {
        struct victim victim;
        struct star_why why = {{0}};
        if (!choose_victim(&victim, &seed))
            continue;
        struct star_step *step = choose_step(&victim, &seed);
        if (step != NULL) {
            mutate(step, &seed);
            int verdict = verdict_on_victim(&victim, &why);
            assert_true(verdict == 0 || verdict == STAR_EWRONG);
            if (verdict)
                expect_one_line(why.text);
            verdict ? caught++ : proven++;
        }
        free_victim(&victim);
    }
    print_message("%d mutations caught, %d harmless\n", caught, proven);
    assert_true(caught > 5000);
}

/* Moves the data of STEP elsewhere, or makes it shorter; false when the step has no data. A temporary may
 * hold the same block twice, so what is read from there moves by less or more than whole blocks. */
static bool misplace(struct star_step *step, int64_t block, uint64_t *seed)
{
    int64_t by = 1 + (int64_t)random_below(seed, 12);
    bool data = step->length > 0 && step->repeat > 0;
    if (!data || step->kind == STAR_WAIT || step->kind == STAR_BARRIER)
        return false;
    int64_t shift = random_below(seed, 2) ? by : -by;
    bool shorten = random_below(seed, 3) == 0;
    if (shorten)
        step->length -= by < step->length ? by : step->length;
    else if (step->kind == STAR_RECV || (step->kind == STAR_COPY && random_below(seed, 2)))
        step->to_offset += shift;
    else if (step->from == STAR_TEMP && shift % block == 0)
        return false;
    else
        step->from_offset += shift;
    return true;
}

/* In a mesh some ranks hold data that they need not; in the others every byte of every step counts. */
static bool carries_more_than_needed(const struct victim *victim)
{
    return strcmp(victim->method.algorithm->name, "mesh2d") == 0 ||
           strcmp(victim->method.algorithm->name, "rdb") == 0;
}

static void all_misplaced_data_is_caught(void **state)
{
    (void)state;
    uint64_t seed = 99;
    int caught = 0;
    for (int i = 0; i < 20000; i++) {
        struct victim victim;
        if (!choose_victim(&victim, &seed))
            continue;
        struct star_step *step = choose_step(&victim, &seed), before = step ? *step : (struct star_step){0};
        if (step != NULL && !carries_more_than_needed(&victim) && misplace(step, victim.block, &seed)) {
            char text[STAR_METHOD_TEXT];
            if (verdict_on_victim(&victim, NULL) != STAR_EWRONG)
                fail_msg(
                    "%s of %d ranks, block %lld: a step of kind %d in round %d, moved from %lld:%lld:%lld to "
                    "%lld:%lld:%lld, is not caught",
                    star_method_format(&victim.method, text, sizeof text), victim.size,
                    (long long)victim.block, step->kind, step->round, (long long)before.from_offset,
                    (long long)before.to_offset, (long long)before.length, (long long)step->from_offset,
                    (long long)step->to_offset, (long long)step->length);
            caught++;
        }
        free_victim(&victim);
    }
    assert_true(caught > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_exchange_is_proven_and_counted),
        cmocka_unit_test(the_wrong_block_sent_is_caught),
        cmocka_unit_test(a_block_shifted_by_a_byte_is_caught),
        cmocka_unit_test(the_wrong_place_received_into_is_caught),
        cmocka_unit_test(a_send_longer_than_its_receive_is_caught),
        cmocka_unit_test(a_send_shorter_than_its_receive_is_caught),
        cmocka_unit_test(a_message_short_on_both_sides_is_caught),
        cmocka_unit_test(a_missing_send_is_caught),
        cmocka_unit_test(a_missing_receive_is_caught),
        cmocka_unit_test(a_message_left_over_is_caught),
        cmocka_unit_test(messages_of_different_channels_never_meet),
        cmocka_unit_test(messages_of_a_pair_meet_in_order),
        cmocka_unit_test(a_cycle_of_blocking_sends_is_a_deadlock),
        cmocka_unit_test(a_cycle_of_blocking_receives_is_a_deadlock),
        cmocka_unit_test(a_read_of_what_was_never_written_is_caught),
        cmocka_unit_test(a_touch_outside_a_buffer_is_caught),
        cmocka_unit_test(a_strided_copy_is_checked_to_its_last_run),
        cmocka_unit_test(a_write_into_the_send_buffer_is_caught),
        cmocka_unit_test(a_write_while_a_send_owns_the_bytes_is_caught),
        cmocka_unit_test(a_matched_send_owns_its_bytes_until_it_is_waited_for),
        cmocka_unit_test(two_sends_may_share_their_bytes),
        cmocka_unit_test(a_read_while_a_receive_is_outstanding_is_caught),
        cmocka_unit_test(a_send_of_what_is_being_received_is_caught),
        cmocka_unit_test(two_receives_into_the_same_bytes_are_caught),
        cmocka_unit_test(a_write_while_a_receive_is_outstanding_is_caught),
        cmocka_unit_test(a_request_never_waited_for_is_caught),
        cmocka_unit_test(a_request_used_twice_is_caught),
        cmocka_unit_test(requests_that_are_not_there_are_caught),
        cmocka_unit_test(a_wait_before_the_start_is_caught),
        cmocka_unit_test(a_barrier_that_not_all_reach_is_caught),
        cmocka_unit_test(one_barrier_more_on_one_rank_is_caught),
        cmocka_unit_test(a_barrier_between_a_blocking_send_and_its_receive_is_a_deadlock),
        cmocka_unit_test(a_message_to_itself_is_caught),
        cmocka_unit_test(a_message_to_nobody_is_caught),
        cmocka_unit_test(steps_and_buffers_of_no_kind_are_caught),
        cmocka_unit_test(a_negative_length_is_caught),
        cmocka_unit_test(a_wrong_algorithm_is_not_proven),
        cmocka_unit_test(all_methods_are_proven),
        cmocka_unit_test(ring_moves_each_byte_once),
        cmocka_unit_test(a_right_plan_stays_right_whatever_the_window),
        cmocka_unit_test(no_mutation_brings_the_simulator_down),
        cmocka_unit_test(all_misplaced_data_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
