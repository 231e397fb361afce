/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/operations.h"
#include "costs.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "topology/network.h"

static void nothing_to_do_takes_no_time(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_ALLTOALL, 3);
    assert_true(seconds_of(&hand, NULL, &star_cost_presets) <= 0);
}

static void both_directions_of_a_link_are_independent(void **state)
{
    (void)state;
    struct hand hand;
    exchange(&hand, 1000);
    struct star_cost_parameters parameters = lock_step(1e6);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-3);
}

static void latency_hops_and_overhead_add_up(void **state)
{
    (void)state;
    struct hand hand;
    exchange(&hand, 1000);
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.latency = 5e-4;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-3 + 5e-4);
    parameters.hop = 1e-4; /* up and down */
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-3 + 7e-4);
    parameters.overhead = 2e-5; /* to send, and to receive */
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-3 + 7e-4 + 4e-5);
    parameters.eager = 999; /* question and answer */
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-3 + 3 * 7e-4 + 4e-5);
}

static void framing_makes_messages_longer_but_not_the_load(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost cost;
    exchange(&hand, 1000);
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.framing = 1.25;
    cost_of(&hand, NULL, &parameters, &cost);
    expect_seconds(cost.seconds, 1.25e-3);
    assert_int_equal(cost.links, 6);
    for (int link = 0; link < 4; link++) {
        assert_int_equal(cost.load[link].bytes, 1000);
        expect_seconds(cost.load[link].busy, 1.25e-3);
        assert_int_equal(cost.load[link].most_flows, 1);
    }
    assert_int_equal(cost.contended_count, 0);
    star_cost_free(&cost);
}

static void a_ring_takes_a_step_for_each_other_rank(void **state)
{
    (void)state;
    struct star_cost_parameters parameters = lock_step(1e6);
    for (int size = 2; size <= 9; size++) {
        expect_seconds(seconds_of_method("alltoall:ring", size, 1000, NULL, &parameters), (size - 1) * 1e-3);
        expect_seconds(seconds_of_method("allgather:neighbor_ring", size, 1000, NULL, &parameters),
                       (size - 1) * 1e-3);
    }
}

static void all_to_one_share_its_link(void **state)
{
    (void)state;
    struct star_cost_parameters parameters = lock_step(1e6);
    struct star_cost cost;
    cost_of_method("gather:linear", 6, 1000, NULL, &parameters, &cost);
    expect_seconds(cost.seconds, 5e-3);
    assert_int_equal(cost.contended_count, 1);
    assert_int_equal(cost.contended[0], 1); /* down to rank 0 */
    assert_int_equal(cost.load[1].bytes, 5000);
    assert_int_equal(cost.load[1].most_flows, 5);
    expect_seconds(cost.load[1].busy, 5e-3);
    expect_seconds(cost.load[1].contended, 5e-3);
    assert_int_equal(cost.load[0].bytes, 0);
    star_cost_free(&cost);
}

/* The ranks of the left switch each send to one of the right. */
static void across(struct hand *hand, int flows, int64_t bytes)
{
    begin(hand, STAR_ALLTOALL, 2 * flows);
    for (int r = 0; r < flows; r++)
        move(hand, r, out(0), r + flows, in(0), bytes);
}

static void flows_share_a_trunk(void **state)
{
    (void)state;
    struct tree tree;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1);
    for (int flows = 1; flows <= 4; flows++) {
        struct star_cost cost;
        const struct star_network *network = plant_two_switches(&tree, 2 * flows, flows, 1e6, 1e6);
        int trunk = 2 * (2 * flows);
        across(&hand, flows, 1000);
        cost_of(&hand, network, &parameters, &cost);
        expect_seconds(cost.seconds, flows * 1e-3);
        assert_int_equal(cost.load[trunk].bytes, flows * 1000);
        assert_int_equal(cost.load[trunk].most_flows, flows);
        assert_int_equal(cost.load[trunk + 1].bytes, 0);
        assert_int_equal(cost.contended_count, flows > 1);
        if (flows > 1)
            assert_int_equal(cost.contended[0], trunk);
        star_cost_free(&cost);
        expect_seconds(seconds_of(&hand, plant_two_switches(&tree, 2 * flows, flows, 1e6, 4e6), &parameters),
                       1e-3);
    }
}

static void what_one_flow_cannot_use_the_others_get(void **state)
{
    (void)state;
    struct tree tree;
    struct hand hand;
    struct star_cost cost;
    /* Three flows over a trunk of 9; the first is held to 1 by its own link, so the others have 4 each. */
    static const int parent[] = {6, 6, 6, 7, 7, 7, 7, -1};
    static const double rate[] = {1, 100, 100, 100, 100, 100, 9, 0};
    struct star_cost_parameters parameters = lock_step(1);
    begin(&hand, STAR_ALLTOALL, 6);
    move(&hand, 0, out(0), 3, in(0), 100);
    move(&hand, 1, out(0), 4, in(0), 200);
    move(&hand, 2, out(0), 5, in(0), 300);
    cost_of(&hand, plant(&tree, 6, 8, parent, rate), &parameters, &cost);
    /* At 50 the second is there; the third has 100 left, at 8; all is over when the first ends at 100. */
    expect_seconds(cost.seconds, 100);
    expect_seconds(load_of(&cost, 5, true)->busy, 62.5);
    expect_seconds(load_of(&cost, 4, true)->busy, 50);
    expect_seconds(load_of(&cost, 6, false)->contended, 62.5);
    star_cost_free(&cost);
}

static void the_most_loaded_link_is_first(void **state)
{
    (void)state;
    struct tree tree;
    struct hand hand;
    struct star_cost cost;
    struct star_cost_parameters parameters = lock_step(1);
    begin(&hand, STAR_ALLTOALL, 6);
    for (int r = 0; r < 3; r++)
        move(&hand, r, out(0), 3, in(0), 10);
    for (int r = 4; r < 6; r++)
        move(&hand, r, out(0), 0, in(0), 100);
    cost_of(&hand, plant_two_switches(&tree, 6, 3, 1, 100), &parameters, &cost);
    assert_int_equal(cost.contended_count, 2);
    assert_int_equal(cost.contended[0], 2 * 0 + 1);
    assert_int_equal(cost.contended[1], 2 * 3 + 1);
    expect_seconds(cost.seconds, 200);
    star_cost_free(&cost);
}

static void contention_costs_more_where_it_is_asked_for(void **state)
{
    (void)state;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.contention = 0.05;
    expect_seconds(seconds_of_method("gather:linear", 6, 1000, NULL, &parameters), 5e-3 + 5e-3 * 0.05 * 4);
    /* A machine's own link upwards knows its flows. */
    expect_seconds(seconds_of_method("scatter:linear", 6, 1000, NULL, &parameters), 5e-3);
    parameters.contention = 10; /* one half at worst */
    expect_seconds(seconds_of_method("gather:linear", 6, 1000, NULL, &parameters), 10e-3);
    expect_seconds(seconds_of_method("alltoall:ring", 6, 1000, NULL, &parameters), 5e-3);
}

/* Two machines of two ranks on a switch, whose trunk leads to the switch of ranks 4 and 5. */
static void a_trunk_has_contention_though_the_ranks_below_share_machines(void **state)
{
    (void)state;
    struct tree tree;
    struct hand hand;
    static const int parent[] = {6, 6, 7, 7, 9, 9, 8, 8, 9, -1};
    struct star_cost_parameters parameters = lock_step(1);
    parameters.contention = 0.1;
    for (int trunk_is_slow = 0; trunk_is_slow < 2; trunk_is_slow++) {
        double machine = trunk_is_slow ? 1e9 : 1e6, trunk = trunk_is_slow ? 1e6 : 1e9;
        double rate[] = {0, 0, 0, 0, 1e9, 1e9, machine, machine, trunk, 0};
        begin(&hand, STAR_ALLTOALL, 6);
        for (int r = 0; r < 2; r++)
            move(&hand, r, out(0), 4 + r, in(0), 1000);
        expect_seconds(seconds_of(&hand, plant(&tree, 6, 10, parent, rate), &parameters),
                       trunk_is_slow ? 2.2e-3 : 2e-3);
    }
}

/* 32 ranks on switches in a chain, or around a hub, with links of rate 1: the least of time that Faraj and
 * Yuan's rounds take in step, from the loads of each round's busiest link, worked out apart from this code.
 */
static void rounds_in_step_take_as_long_as_their_busiest_links(void **state)
{
    (void)state;
    enum { SIZE = 32 };
    static const struct {
        const char *method;
        int two, chain, star;
    } known[] = {
        {"alltoall:ring,sync=barrier", 256, 256, 192},
        {"alltoall:pair,sync=barrier", 271, 327, 199},
        {"alltoall:bruck", 496, 496, 368},
        {"allgather:neighbor_ring", 31, 31, 31},
        {"allgather:rdb", 271, 327, 199},
    };
    struct star_cost_parameters parameters = lock_step(1);
    struct tree two, chain, star;
    int chained[SIZE + 4], starred[SIZE + 5];
    double rate[SIZE + 5];
    for (int n = 0; n < SIZE + 5; n++) {
        rate[n] = 1;
        starred[n] = n < SIZE ? SIZE + n / 8 : SIZE + 4;
    }
    /* The chain's root is its third switch: 32 and 33 hang below, one on the other, and 34 beside. */
    for (int r = 0; r < SIZE; r++)
        chained[r] = r < 8 ? SIZE : r < 16 ? SIZE + 1 : r < 24 ? SIZE + 3 : SIZE + 2;
    chained[SIZE] = SIZE + 1;
    chained[SIZE + 1] = chained[SIZE + 2] = SIZE + 3;
    chained[SIZE + 3] = starred[SIZE + 4] = -1;
    plant_two_switches(&two, SIZE, SIZE / 2, 1, 1);
    plant(&chain, SIZE, SIZE + 4, chained, rate);
    plant(&star, SIZE, SIZE + 5, starred, rate);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *method = known[i].method;
        expect_seconds(seconds_of_method(method, SIZE, 1, &two.network, &parameters), known[i].two);
        expect_seconds(seconds_of_method(method, SIZE, 1, &chain.network, &parameters), known[i].chain);
        expect_seconds(seconds_of_method(method, SIZE, 1, &star.network, &parameters), known[i].star);
    }
}

/* 0.1 and 0.2 seconds are not 0.3 to a computer; rank 2 sends when rank 0 has sent. */
static void rounding_is_no_contention(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost cost;
    struct star_cost_parameters parameters = lock_step(10);
    parameters.copy = 10;
    begin(&hand, STAR_ALLTOALL, 3);
    copy(&hand, 2, spare(0), input(0), 3);
    move(&hand, 0, out(0), 1, in(0), 1);
    move(&hand, 0, out(0), 1, in(0), 2);
    move(&hand, 2, out(0), 1, in(0), 5);
    cost_of(&hand, NULL, &parameters, &cost);
    expect_seconds(cost.seconds, 0.8);
    assert_int_equal(cost.contended_count, 0);
    assert_int_equal(load_of(&cost, 1, true)->most_flows, 1);
    star_cost_free(&cost);
}

static void copies_and_reductions_cost_by_their_bytes(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1);
    begin(&hand, STAR_ALLREDUCE, 1);
    copy(&hand, 0, spare(0), input(0), 10)->repeat = 3;
    reduce(&hand, 0, result(0), input(0), 40);
    expect_seconds(seconds_of(&hand, NULL, &parameters), 0);
    parameters.copy = 1000;
    parameters.reduce = 500;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 0.03 + 0.08);
}

static void blocks_of_units_have_the_bytes_that_are_said(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost cost;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.block = 500;
    parameters.copy = 1e6;
    begin(&hand, STAR_ALLTOALLV, 2);
    move(&hand, 0, input(0), 1, result(0), 2);
    copy(&hand, 1, result(0), input(0), 1);
    cost_of(&hand, NULL, &parameters, &cost);
    assert_int_equal(cost.load[0].bytes, 1000);
    expect_seconds(cost.seconds, 1.5e-3);
    star_cost_free(&cost);
}

static void a_barrier_waits_for_the_last(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    parameters.copy = 1e6;
    begin(&hand, STAR_ALLTOALL, 5);
    for (int r = 0; r < 5; r++) {
        copy(&hand, r, spare(0), input(0), INT64_C(1000) * (1 + (r + 2) % 5));
        barrier(&hand, r);
        copy(&hand, r, spare(0), input(0), INT64_C(1000) * r);
    }
    expect_seconds(seconds_of(&hand, NULL, &parameters), 5e-3 + 4e-3);
    parameters.latency = 1e-3; /* three rounds for five ranks */
    parameters.overhead = 1e-4;
    parameters.hop = 1e-5;
    expect_seconds(seconds_of(&hand, NULL, &parameters), 9e-3 + 3 * (1e-3 + 2e-5 + 2e-4));
}

/* Ranks 0 and 1 on a machine, rank 2 on one of its own. */
static void ranks_of_a_machine_copy_to_each_other(void **state)
{
    (void)state;
    struct tree tree;
    struct hand hand;
    struct star_cost cost;
    static const int parent[] = {3, 3, 4, 4, -1};
    static const double rate[] = {0, 0, 1e6, 1e6, 0};
    const struct star_network *network = plant(&tree, 3, 5, parent, rate);
    struct star_cost_parameters parameters = lock_step(1);
    parameters.copy = 1e7;
    parameters.latency = 1;
    parameters.hop = 0.1;
    begin(&hand, STAR_ALLTOALL, 3);
    move(&hand, 0, out(0), 1, in(0), 1000);
    cost_of(&hand, network, &parameters, &cost);
    expect_seconds(cost.seconds, 1e-4);
    assert_int_equal(load_of(&cost, 0, false)->bytes, 1000);
    assert_int_equal(load_of(&cost, 1, true)->bytes, 1000);
    assert_int_equal(load_of(&cost, 3, false)->bytes, 0);
    star_cost_free(&cost);
    begin(&hand, STAR_ALLTOALL, 3);
    move(&hand, 0, out(0), 2, in(0), 1000);
    expect_seconds(seconds_of(&hand, network, &parameters), 1e-3 + 1.2); /* the machine's link and rank 2's */
}

static void deadlocks_are_told(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost_parameters parameters = lock_step(1e6);
    begin(&hand, STAR_ALLTOALL, 2);
    for (int r = 0; r < 2; r++) {
        send(&hand, r, 1 - r, out(0), 10);
        wait_for_last(&hand, r);
        recv(&hand, r, 1 - r, in(0), 10);
        wait_for_last(&hand, r);
    }
    expect_seconds(seconds_of(&hand, NULL, &parameters), 1e-5);
    parameters.eager = 9;
    expect_refused(&hand, NULL, &parameters, "rank 0", "send to rank 1");
    begin(&hand, STAR_ALLTOALL, 3);
    recv(&hand, 2, 1, in(0), 10);
    wait_for_last(&hand, 2);
    expect_refused(&hand, NULL, &parameters, "rank 2", "receive from rank 1");
    begin(&hand, STAR_ALLTOALL, 3);
    barrier(&hand, 1);
    expect_refused(&hand, NULL, &parameters, "rank 1", "barrier");
}

static void plans_that_do_not_fit_together_are_told(void **state)
{
    (void)state;
    struct hand hand;
    struct tree tree;
    struct star_cost_parameters parameters = lock_step(1e6);
    exchange(&hand, 10);
    find(&hand, 0, STAR_STEP_SEND)->length = 11;
    expect_refused(&hand, NULL, &parameters, "rank 0", "rank 1");
    exchange(&hand, 10);
    find(&hand, 1, STAR_STEP_SEND)->peer = 2;
    expect_refused(&hand, NULL, &parameters, "rank 1", "not there");
    exchange(&hand, 10);
    find(&hand, 1, STAR_STEP_SEND)->slot = 0;
    expect_refused(&hand, NULL, &parameters, "rank 1", "twice");
    exchange(&hand, 10);
    find(&hand, 1, STAR_STEP_WAIT)->repeat = 3;
    expect_refused(&hand, NULL, &parameters, "rank 1", "request");
    exchange(&hand, 10);
    erase(&hand, 1, STAR_STEP_SEND);
    expect_refused(&hand, NULL, &parameters, "rank 1", "before it is started");
    exchange(&hand, 10);
    find(&hand, 1, STAR_STEP_WAIT)->kind = 77;
    expect_refused(&hand, NULL, &parameters, "rank 1", "kind");
    exchange(&hand, 10);
    hand.plans[1].rank = 0;
    expect_refused(&hand, NULL, &parameters, "plan 1", "rank 0");
    exchange(&hand, 10);
    expect_refused(&hand, plant_two_switches(&tree, 4, 2, 1, 1), &parameters, "2 plans", "4 ranks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do_takes_no_time),
        cmocka_unit_test(both_directions_of_a_link_are_independent),
        cmocka_unit_test(latency_hops_and_overhead_add_up),
        cmocka_unit_test(framing_makes_messages_longer_but_not_the_load),
        cmocka_unit_test(a_ring_takes_a_step_for_each_other_rank),
        cmocka_unit_test(all_to_one_share_its_link),
        cmocka_unit_test(flows_share_a_trunk),
        cmocka_unit_test(what_one_flow_cannot_use_the_others_get),
        cmocka_unit_test(the_most_loaded_link_is_first),
        cmocka_unit_test(contention_costs_more_where_it_is_asked_for),
        cmocka_unit_test(a_trunk_has_contention_though_the_ranks_below_share_machines),
        cmocka_unit_test(rounds_in_step_take_as_long_as_their_busiest_links),
        cmocka_unit_test(rounding_is_no_contention),
        cmocka_unit_test(copies_and_reductions_cost_by_their_bytes),
        cmocka_unit_test(blocks_of_units_have_the_bytes_that_are_said),
        cmocka_unit_test(a_barrier_waits_for_the_last),
        cmocka_unit_test(ranks_of_a_machine_copy_to_each_other),
        cmocka_unit_test(deadlocks_are_told),
        cmocka_unit_test(plans_that_do_not_fit_together_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
