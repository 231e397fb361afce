/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner watches the method that it has chosen. */
#include "lockstep.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"

#include <math.h>

static void delta_doubles_up_to_its_bound_while_the_method_is_good(void **state)
{
    (void)state;
    static const int expected[] = {4, 8, 12, 12, 12};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.delta_most = 12;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    assert_int_equal(delta(&world), 2);
    for (int i = 0; i < 5; i++) {
        int before = delta(&world);
        assert_int_equal(run_to_decision(&world), before * 10);
        assert_int_equal(delta(&world), expected[i]);
        assert_int_equal(world.last.reason, STAR_KEPT);
        assert_int_equal(current(&world), 5);
    }
    finish(&world);
}

static void delta_never_exceeds_its_bound(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.delta = 8;
    tuning.delta_most = 4;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    for (int i = 0; i < 4; i++) {
        assert_true(delta(&world) <= 4);
        run_to_decision(&world);
    }
    finish(&world);
}

static void the_largest_delta_does_not_overflow(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.iter = 1;
    tuning.delta = tuning.delta_most = INT32_MAX;
    struct world world;
    start(&world, 1, tuning, seven_groups, seven_times, 7);
    run(&world, 1000);
    assert_int_equal(delta(&world), INT32_MAX);
    assert_int_equal(world.agreements, 1);
    finish(&world);
}

static void the_steady_state_agrees_logarithmically_often(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_GROUPED);
    tuning.delta_most = 1 << 20;
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    long before = world.agreements;
    run(&world, 100000);
    /* Periods of 20, 40, 80, … calls: 12 of them end within 100,000. */
    assert_int_equal(world.agreements - before, 12);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

static void a_disturbance_is_watched_more_closely_but_changes_nothing(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    run_to_decision(&world);
    run_to_decision(&world);
    assert_int_equal(delta(&world), 8);
    world.base[5] = 1;
    run(&world, 70); /* all but the last 10 calls of the period are slow */
    world.base[5] = seven_times[5];
    assert_int_equal(run_to_decision(&world), 10);
    assert_int_equal(world.last.reason, STAR_DISTURBED);
    assert_int_equal(current(&world), 5);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(delta(&world), 2);
    assert_int_equal(run_to_decision(&world), 20);
    assert_int_equal(world.last.reason, STAR_KEPT);
    finish(&world);
}

/* An error of MPI: nothing was decided, and the next agreement is a period away, on all ranks. */
static void behind_an_agreement_that_failed_comes_another_period(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world); /* a period of 20 calls follows */
    for (int i = 1; i <= 100; i++)
        for (int rank = 0; rank < 2; rank++)
            assert_int_equal(star_tuner_record(world.ranks[rank], 1e-3), i % 20 == 0);
    finish(&world);
}

static void a_slow_end_of_a_good_period_changes_nothing(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    for (int i = 0; i < 4; i++)
        run_to_decision(&world);
    run(&world, 32 * 10 - 10);
    world.base[5] = 4e-3; /* the second best takes 3 ms */
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_KEPT);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

static void slower_by_less_than_epsilon_is_still_good(void **state)
{
    (void)state;
    static const double late[] = {3.29e-3, 3.31e-3}; /* the second best takes 3 ms */
    for (int i = 0; i < 2; i++) {
        struct world world;
        start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
        run_to_choice(&world);
        world.base[5] = late[i];
        run_to_decision(&world);
        assert_int_equal(world.last.reason, i ? STAR_OVERTAKEN : STAR_KEPT);
        assert_int_equal(current(&world), i ? 4 : 5);
        finish(&world);
    }
}

static void deterioration_gives_way_to_the_second_best(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    run_to_decision(&world);
    run_to_decision(&world);
    world.base[5] = 9e-3;
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_OVERTAKEN);
    assert_int_equal(current(&world), 4);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(delta(&world), 2);
    assert_true(fabs(star_tuner_estimate(leader(&world), 5) - 9e-3) < 1e-9);
    world.base[4] = 9e-3; /* and on to the third */
    run_to_decision(&world);
    assert_int_equal(current(&world), 3);
    finish(&world);
}

static void a_new_group_is_measured_before_one_of_it_is_chosen(void **state)
{
    (void)state;
    static const int groups[] = {0, 1, 1, 2, 2};
    static const double times[] = {9e-3, 2e-3, 3e-3, 4e-3, 1e-3};
    struct world world;
    start(&world, 3, usual(STAR_GROUPED), groups, times, 5);
    run_to_choice(&world);
    assert_int_equal(current(&world), 1); /* 4 is faster, but speaks for no group */
    world.base[1] = 20e-3;
    run_to_decision(&world);
    assert_int_equal(current(&world), 2);
    assert_int_equal(world.last.reason, STAR_OVERTAKEN);
    world.base[2] = 20e-3;
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_GROUP);
    assert_int_equal(stage(&world), STAR_MEASURE);
    assert_int_equal(current(&world), 4);
    assert_int_equal(run_to_choice(&world), 10);
    assert_int_equal(current(&world), 4);
    finish(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_doubles_up_to_its_bound_while_the_method_is_good),
        cmocka_unit_test(delta_never_exceeds_its_bound),
        cmocka_unit_test(the_largest_delta_does_not_overflow),
        cmocka_unit_test(the_steady_state_agrees_logarithmically_often),
        cmocka_unit_test(a_disturbance_is_watched_more_closely_but_changes_nothing),
        cmocka_unit_test(behind_an_agreement_that_failed_comes_another_period),
        cmocka_unit_test(a_slow_end_of_a_good_period_changes_nothing),
        cmocka_unit_test(slower_by_less_than_epsilon_is_still_good),
        cmocka_unit_test(deterioration_gives_way_to_the_second_best),
        cmocka_unit_test(a_new_group_is_measured_before_one_of_it_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
