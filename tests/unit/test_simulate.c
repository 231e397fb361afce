/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator proves good plans and catches each kind of fault. A fault is put alone into plans that are
 * otherwise right, so that nothing else can have given it away. */
#include "hand.h"

/* Alltoall, of which each rank has copied its own block. */
static void start(struct hand *hand, int size)
{
    begin(hand, STAR_ALLTOALL, size);
    for (int r = 0; r < size; r++) {
        hand->plans[r].temp_bytes = 3 * BLOCK;
        copy(hand, r, in(r), out(r), BLOCK);
    }
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
        add(hand, 1, (struct star_step){.kind = STAR_STEP_WAIT});
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
        struct star_step *wait = find(&hand, 1, STAR_STEP_WAIT);
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
            find(&hand, 0, STAR_STEP_SEND)->slot = odd[i][0];
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
    wait_for(&hand, 0, 1, 1); /* once more, in time */
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
        cmocka_unit_test(a_copy_onto_a_part_of_itself_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
