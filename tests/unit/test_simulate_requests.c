/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator on requests: what they own until they are waited for, and waits. */
#include "exchanges.h"
#include "plan/plan.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
