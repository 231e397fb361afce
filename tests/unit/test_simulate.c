/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator proves good plans and catches each kind of fault. A fault is put alone into plans that are
 * otherwise right, so that nothing else can have given it away. */
#include "exchanges.h"
#include "plan/plan.h"
#include "plan/simulate.h"

static void a_right_exchange_is_proven_and_counted(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    struct star_simulation found = proof_of(&hand);
    assert_int_equal(found.messages, 2);
    assert_int_equal(found.tokens, 0);
    assert_int_equal(found.bytes, 2 * BLOCK);
    assert_int_equal(found.rounds, 1);
    assert_false(found.rank_order); /* nothing is reduced */
}

static void the_wrong_block_sent_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_STEP_SEND)->from_offset = 0;
    expect_caught(&hand);
}

static void a_block_shifted_by_a_byte_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_STEP_SEND)->from_offset -= 1;
    expect_caught(&hand);
}

static void the_wrong_place_received_into_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_STEP_RECV)->to_offset = BLOCK;
    expect_caught(&hand);
}

static void a_send_longer_than_its_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    struct star_step *step = find(&hand, 1, STAR_STEP_SEND);
    step->length++;
    step->from_offset = 0;
    expect_caught(&hand);
}

static void a_send_shorter_than_its_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_STEP_SEND)->length--;
    expect_caught(&hand);
}

static void a_message_short_on_both_sides_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 1, STAR_STEP_SEND)->length--;
    find(&hand, 0, STAR_STEP_RECV)->length--;
    expect_caught(&hand);
}

static void a_missing_send_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    erase(&hand, 1, STAR_STEP_SEND);
    hand.plans[1].slots = 1;
    find(&hand, 1, STAR_STEP_WAIT)->repeat = 1;
    expect_caught(&hand);
}

static void a_missing_receive_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    erase(&hand, 1, STAR_STEP_RECV);
    hand.plans[1].slots = 1;
    find(&hand, 1, STAR_STEP_SEND)->slot = 0;
    find(&hand, 1, STAR_STEP_WAIT)->repeat = 1;
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
    find(&hand, 0, STAR_STEP_SEND)->channel = STAR_SYNC;
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
        find(&hand, 0, STAR_STEP_SEND)->peer = nobody[i];
        expect_caught(&hand);
        start_pair(&hand);
        find(&hand, 1, STAR_STEP_RECV)->peer = nobody[i];
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
    find(&hand, 0, STAR_STEP_SEND)->from = STAR_BUFFERS;
    expect_caught(&hand);
    start_pair(&hand);
    find(&hand, 0, STAR_STEP_RECV)->to = 200;
    expect_caught(&hand);
    start_pair(&hand);
    find(&hand, 0, STAR_STEP_COPY)->to = STAR_BUFFERS;
    expect_caught(&hand);
}

static void a_negative_length_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_pair(&hand);
    find(&hand, 0, STAR_STEP_SEND)->length = -BLOCK;
    expect_caught(&hand);
    start_pair(&hand);
    copy(&hand, 0, star_at(STAR_TEMP, BLOCK), out(0), -1);
    expect_caught(&hand);
    start_pair(&hand);
    copy(&hand, 0, star_at(STAR_TEMP, BLOCK), out(0), 1)->repeat = -1;
    expect_caught(&hand);
}

static void a_copy_onto_a_part_of_itself_is_caught(void **state)
{
    (void)state;
    for (int64_t shift = 0; shift <= BLOCK; shift++) {
        struct hand hand;
        start_pair(&hand);
        copy(&hand, 0, spare(0), out(0), BLOCK);
        copy(&hand, 0, spare(BLOCK), out(0), BLOCK);
        expect_proven(&hand);
        copy(&hand, 0, spare(shift), spare(0), BLOCK);
        shift < BLOCK ? expect_caught_as(&hand, "itself") : expect_proven(&hand);
    }
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
        cmocka_unit_test(a_barrier_that_not_all_reach_is_caught),
        cmocka_unit_test(one_barrier_more_on_one_rank_is_caught),
        cmocka_unit_test(a_barrier_between_a_blocking_send_and_its_receive_is_a_deadlock),
        cmocka_unit_test(a_message_to_itself_is_caught),
        cmocka_unit_test(a_message_to_nobody_is_caught),
        cmocka_unit_test(steps_and_buffers_of_no_kind_are_caught),
        cmocka_unit_test(a_negative_length_is_caught),
        cmocka_unit_test(a_copy_onto_a_part_of_itself_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
