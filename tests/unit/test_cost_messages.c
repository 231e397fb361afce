/* SPDX-License-Identifier: BSD-3-Clause
 * What a message waits for: its receiver, the message before it, the processor. */
#include "algorithms/operations.h"
#include "costs.h"
#include "plan/cost.h"
#include "plan/plan.h"

/* Rank 1 is busy with a copy of 5 ms before it receives. */
static void late_receiver(struct hand *hand)
{
    begin(hand, STAR_ALLTOALL, 2);
    send(hand, 0, 1, out(0), 1000);
    wait_for_last(hand, 0);
    copy(hand, 1, spare(0), input(0), 5000);
    recv(hand, 1, 0, in(0), 1000);
    wait_for_last(hand, 1);
}

static void a_rendezvous_waits_for_its_receiver(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.copy = 1e6;
    late_receiver(&hand);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 5e-3);
    parameters.eager = 1000;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 5e-3);
    parameters.eager = 999;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 5e-3 + 1e-3);
    parameters.latency = 1e-4; /* the question is there; the answer and the message are not */
    expect_seconds(seconds_of(&hand, NULL, &parameters), 5e-3 + 1e-3 + 2e-4);
}

static void an_eager_message_overtakes_one_that_waits_for_its_receiver(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.copy = 1e6;
    parameters.eager = 100;
    begin(&hand, STAR_ALLTOALL, 2);
    send(&hand, 0, 1, out(0), 1000);
    struct star_step *second = send(&hand, 0, 1, out(0), 100);
    second->channel = STAR_SYNC;
    wait_for(&hand, 0, 0, 2);
    recv(&hand, 1, 0, in(0), 100)->channel = STAR_SYNC;
    wait_for_last(&hand, 1);
    copy(&hand, 1, spare(0), input(0), 2000);
    recv(&hand, 1, 0, in(0), 1000);
    wait_for_last(&hand, 1);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-4 + 2e-3 + 1e-3);
    /* Eager both, it goes behind the other, which is there when it is asked for. */
    parameters.eager = 1000;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1.1e-3 + 2e-3);
}

static void an_eager_send_is_done_at_once(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.copy = 1e6;
    begin(&hand, STAR_ALLTOALL, 2);
    move(&hand, 0, out(0), 1, in(0), 1000);
    copy(&hand, 0, spare(0), input(0), 3000);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 3e-3);
    parameters.eager = 0;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 4e-3);
}

static void messages_of_a_pair_go_one_behind_the_other(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost cost;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.copy = 1e6;
    begin(&hand, STAR_ALLTOALL, 2);
    for (int i = 0; i < 2; i++)
        send(&hand, 0, 1, out(0), 1000);
    wait_for(&hand, 0, 0, 2);
    for (int i = 0; i < 2; i++)
        recv(&hand, 1, 0, in(0), 1000);
    wait_for(&hand, 1, 0, 1);
    copy(&hand, 1, spare(0), input(0), 1500);
    wait_for(&hand, 1, 1, 1);
    cost_of(&hand, NULL, &parameters, &cost);
    expect_seconds(cost.seconds, 2.5e-3);
    assert_int_equal(cost.load[0].most_flows, 1);
    expect_seconds(cost.load[0].busy, 2e-3);
    star_cost_free(&cost);
}

static void each_message_takes_the_processor(void **state)
{
    (void)state;
    struct star_cost_parameters parameters = lock_step(1e12);
    parameters.overhead = 1e-3;
    parameters.block = 0; /* no bytes */
    /* Seven sends, seven receives. */
    expect_seconds(seconds_of_method("alltoallv:simple", 8, 1, NULL, &parameters), 14e-3);
    /* The root receives seven times, what was sent in the first millisecond. */
    expect_seconds(seconds_of_method("gatherv:linear", 8, 1, NULL, &parameters), 8e-3);
}

static void a_message_that_is_waited_for_twice_takes_the_processor_once(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.overhead = 1e-3;
    begin(&hand, STAR_ALLTOALL, 2);
    move(&hand, 0, out(0), 1, in(0), 1000);
    wait_for_last(&hand, 1);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 3e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rendezvous_waits_for_its_receiver),
        cmocka_unit_test(an_eager_message_overtakes_one_that_waits_for_its_receiver),
        cmocka_unit_test(an_eager_send_is_done_at_once),
        cmocka_unit_test(messages_of_a_pair_go_one_behind_the_other),
        cmocka_unit_test(each_message_takes_the_processor),
        cmocka_unit_test(a_message_that_is_waited_for_twice_takes_the_processor_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
