/* SPDX-License-Identifier: BSD-3-Clause
 * Successive halving. */
#include "lockstep.h"
#include "tuner/decision.h"
#include "tuner/tuning.h"

/* By hand: native's ten calls, six others for one call each, three for two, two for four. */
static void half_of_them_fall_out_in_each_round(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_HALVING), seven_groups, seven_times, 7);
    assert_int_equal(current(&world), 0);
    assert_int_equal(run_to_decision(&world), 10);
    assert_int_equal(world.last.reason, STAR_ROUND);
    assert_int_equal(world.last.count, 6);
    assert_int_equal(run_to_choice(&world), 6 * 1 + 3 * 2 + 2 * 4);
    assert_int_equal(current(&world), 5);
    assert_int_equal(world.last.reason, STAR_SELECTED);
    assert_int_equal(world.calls_of[6], 1);
    assert_int_equal(world.calls_of[3], 1 + 2);
    finish(&world);
}

static void it_stays_with_native_where_that_is_fastest(void **state)
{
    (void)state;
    static const double native_is_best[] = {1e-3, 6e-3, 5e-3, 4e-3, 3e-3, 2e-3, 8e-3};
    struct world world;
    start(&world, 2, usual(STAR_HALVING), seven_groups, native_is_best, 7);
    run_to_choice(&world);
    assert_int_equal(current(&world), 0);
    finish(&world);
}

static void no_round_is_longer_than_the_setting(void **state)
{
    (void)state;
    struct world world;
    struct star_tuning tuning = usual(STAR_HALVING);
    tuning.iter = 3;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    assert_int_equal(run_to_choice(&world), 3 + 6 * 1 + 3 * 2 + 2 * 3);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

static void one_other_is_measured_once(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_HALVING), seven_groups, seven_times, 2);
    assert_int_equal(run_to_choice(&world), 10 + 1);
    assert_int_equal(current(&world), 1);
    finish(&world);
}

static void who_cannot_be_run_is_replaced_by_nobody(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_HALVING), seven_groups, seven_times, 7);
    world.unable[5] = world.unable[1] = true;
    run_to_choice(&world);
    assert_int_equal(current(&world), 4);
    assert_int_equal(world.calls_of[5] + world.calls_of[1], 0);
    finish(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_them_fall_out_in_each_round),
        cmocka_unit_test(it_stays_with_native_where_that_is_fastest),
        cmocka_unit_test(no_round_is_longer_than_the_setting),
        cmocka_unit_test(one_other_is_measured_once),
        cmocka_unit_test(who_cannot_be_run_is_replaced_by_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
