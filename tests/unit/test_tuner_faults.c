/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner where methods cannot be run, decisions are damaged and times are none. */
#include "lockstep.h"
#include "tuner/candidates.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/seconds.h"

#include <math.h>

static void a_shut_out_candidate_is_replaced_by_another_of_its_group(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.base[4] = 1e-6; /* would be the best by far */
    world.unable[4] = true;
    run_to_choice(&world);
    assert_int_equal(world.calls_of[4], 0);
    assert_int_equal(current(&world), 5);
    for (int r = 0; r < 3; r++) {
        assert_true(star_tuner_is_shut_out(world.ranks[r], 4));
        assert_false(star_tuner_is_shut_out(world.ranks[r], 5));
    }
    run(&world, 10000);
    assert_int_equal(world.calls_of[4], 0);
    finish(&world);
}

static void whole_groups_that_cannot_be_run_are_left_out(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.unable[4] = world.unable[5] = world.unable[6] = world.unable[3] = true;
    run_to_choice(&world);
    assert_int_equal(current(&world), 2);
    finish(&world);
}

static void shutting_out_half_way_forgets_the_samples(void **state)
{
    (void)state;
    for (int out = 1; out < 7; out++) {
        struct world world;
        start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
        while (world.calls_of[out] < 4)
            step(&world);
        world.unable[out] = true;
        run_to_choice(&world);
        assert_int_equal(current(&world), out == 5 ? 4 : 5);
        for (int i = 0, count; i < 7; i++) {
            double estimate = star_tuner_estimate(leader(&world), i);
            assert_true(i == out ? !star_is_known(estimate) : fabs(estimate - seven_times[i]) < 1e-12);
            assert_int_equal(star_tuner_samples(leader(&world), i, &count) == NULL, i == out);
        }
        finish(&world);
    }
}

static void all_but_native_shut_out_leaves_native(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start(&world, 3, usual(strategy), seven_groups, seven_times, 7);
        for (int i = 1; i < 7; i++)
            world.unable[i] = true;
        assert_int_equal(run_to_choice(&world), strategy == STAR_RACE ? 3 : 10);
        assert_int_equal(current(&world), 0);
        assert_int_equal(stage(&world), STAR_MONITOR);
        run(&world, 1000);
        assert_int_equal(world.calls_of[0], world.calls);
        finish(&world);
    }
}

static void a_group_list_all_shut_out_leaves_what_was_measured(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.unable[5] = world.unable[6] = true;
    assert_int_equal(run_to_choice(&world), 40);
    assert_int_equal(current(&world), 4);
    assert_int_equal(stage(&world), STAR_MONITOR);
    finish(&world);
}

static void a_list_all_shut_out_ends_with_native(void **state)
{
    (void)state;
    static const int groups[] = {0, 1};
    struct world world;
    start(&world, 2, usual(STAR_EXHAUSTIVE), groups, seven_times, 2);
    world.unable[0] = world.unable[1] = true;
    run_to_decision(&world);
    world.unable[0] = false;
    assert_int_equal(current(&world), 0);
    run(&world, 1000);
    assert_int_equal(world.calls_of[0], 1000);
    finish(&world);
}

static void a_chosen_method_shut_out_gives_way_to_native_then_to_the_best(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    run(&world, 7);
    world.unable[5] = true;
    step(&world);
    assert_int_equal(current(&world), 0);
    assert_int_equal(run_to_decision(&world), 20); /* the period begins anew */
    assert_int_equal(current(&world), 4);
    run(&world, 10000);
    assert_int_equal(world.calls_of[5], 17);
    finish(&world);
}

static void no_candidates_or_too_many_give_no_tuner(void **state)
{
    (void)state;
    static int groups[STAR_CANDIDATES_MAX + 1];
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    assert_null(star_tuner_new(&tuning, groups, NULL, 0, true));
    assert_null(star_tuner_new(&tuning, groups, NULL, STAR_CANDIDATES_MAX + 1, true));
    struct star_tuner *tuner = star_tuner_new(&tuning, groups, NULL, STAR_CANDIDATES_MAX, true);
    assert_non_null(tuner);
    assert_true(star_tuner_bytes(tuner) > sizeof(double) * 10 * STAR_CANDIDATES_MAX);
    star_tuner_free(tuner);
    star_tuner_free(NULL);
}

static void expect_refused(struct world *world, const struct star_decision *decision)
{
    int candidate = current(world), before = delta(world);
    enum star_stage then = stage(world);
    assert_false(star_tuner_apply(world->ranks[0], decision));
    assert_int_equal(current(world), candidate);
    assert_int_equal(delta(world), before);
    assert_int_equal(stage(world), then);
}

static struct star_decision sound(void)
{
    return (struct star_decision){
        .stage = STAR_MEASURE, .reason = STAR_GROUP, .calls = 10, .delta = 2, .count = 2, .list = {1, 2}};
}

static void a_damaged_list_is_refused(void **state)
{
    (void)state;
    static const int32_t counts[] = {0, -1, 8, INT32_MAX, INT32_MIN};
    static const int16_t entries[] = {-1, 7, INT16_MAX, INT16_MIN};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct star_decision damaged = sound();
        damaged.count = counts[i];
        expect_refused(&world, &damaged);
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        for (int at = 0; at < 2; at++) {
            struct star_decision damaged = sound();
            damaged.list[at] = entries[i];
            expect_refused(&world, &damaged);
        }
    struct star_decision good = sound();
    assert_true(star_tuner_apply(world.ranks[0], &good));
    assert_int_equal(current(&world), 1);
    finish(&world);
}

static void a_damaged_stage_or_delta_is_refused(void **state)
{
    (void)state;
    static const int32_t odd[] = {2, -1, INT32_MAX, INT32_MIN};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (size_t i = 0; i < 4; i++) {
        struct star_decision damaged = sound();
        damaged.stage = odd[i];
        expect_refused(&world, &damaged);
        damaged = sound();
        damaged.delta = odd[i] > 0 ? 0 : odd[i];
        expect_refused(&world, &damaged);
        damaged = sound();
        damaged.cold = odd[i];
        expect_refused(&world, &damaged);
    }
    struct star_decision two_chosen = sound();
    two_chosen.stage = STAR_MONITOR;
    expect_refused(&world, &two_chosen);
    finish(&world);
}

/* They would be written beyond the room that there is. */
static void a_damaged_number_of_calls_is_refused(void **state)
{
    (void)state;
    static const int64_t odd[] = {0, -1, 11, INT64_MAX, INT64_MIN};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct star_decision damaged = sound();
        damaged.calls = odd[i];
        expect_refused(&world, &damaged);
    }
    finish(&world);
    start(&world, 1, usual(STAR_RACE), seven_groups, seven_times, 7);
    struct star_decision two_long = sound();
    two_long.calls = STAR_VISIT_MOST;
    expect_refused(&world, &two_long);
    finish(&world);
}

static void a_damaged_reason_is_refused(void **state)
{
    (void)state;
    static const int32_t odd[] = {STAR_REASONS, -1, INT32_MAX};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (size_t i = 0; i < 3; i++) {
        struct star_decision damaged = sound();
        damaged.reason = odd[i]; /* reports look its name up */
        expect_refused(&world, &damaged);
    }
    finish(&world);
}

static void every_reason_has_a_name(void **state)
{
    (void)state;
    for (int i = STAR_FIRST; i < STAR_REASONS; i++)
        expect_one_line(star_reason_names[i]);
}

static double damaged(struct world *world, int candidate, int rank)
{
    static const double odd[] = {NAN, -1, 0, -INFINITY, -1e300};
    (void)rank;
    if (world->calls > 20000 || random_below(&world->seed, 5))
        return world->base[candidate];
    return odd[random_below(&world->seed, 5)];
}

static void times_that_are_none_do_no_lasting_harm(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++)
        for (int estimator = STAR_MIN_OF_MEAN; estimator <= STAR_MAX_OF_FILTERED_MEAN; estimator++) {
            struct star_tuning tuning = usual(strategy);
            tuning.estimator = estimator;
            tuning.delta_most = 16;
            struct world world;
            start(&world, 4, tuning, seven_groups, seven_times, 5);
            world.seconds = damaged;
            run(&world, 20000);
            for (int i = 0; i < 5; i++) {
                double estimate = star_tuner_estimate(leader(&world), i);
                assert_true(star_is_known(estimate) || estimate == STAR_UNKNOWN_SECONDS);
            }
            run(&world, 20000);
            /* Within epsilon of the best, of all or of the groups' speakers. */
            assert_true(world.base[current(&world)] <= 1.1 * seven_times[4] + 1e-12);
            finish(&world);
        }
}

static double nothing(struct world *world, int candidate, int rank)
{
    (void)world, (void)candidate;
    return rank % 2 ? NAN : 0;
}

static void times_of_nothing_keep_ranks_in_step(void **state)
{
    (void)state;
    for (int estimator = STAR_MIN_OF_MEAN; estimator <= STAR_MAX_OF_FILTERED_MEAN; estimator++) {
        struct star_tuning tuning = usual(STAR_GROUPED);
        tuning.estimator = estimator;
        struct world world;
        start(&world, 4, tuning, seven_groups, seven_times, 7);
        world.seconds = nothing;
        run(&world, 5000);
        finish(&world);
    }
}

static void whatever_happens_what_cannot_be_run_is_not_chosen(void **state)
{
    (void)state;
    uint64_t seed = 4242;
    for (int trial = 0; trial < trials(150, 30); trial++) {
        struct world world;
        start_random(&world, &seed);
        for (int i = 0; i < 1500; i++) {
            if (random_below(&seed, 40) == 0)
                world.unable[1 + random_below(&seed, DRAWN_MOST - 1)] = true;
            int candidate = current(&world);
            assert_false(star_tuner_is_shut_out(world.ranks[0], candidate));
            step(&world);
        }
        finish(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shut_out_candidate_is_replaced_by_another_of_its_group),
        cmocka_unit_test(whole_groups_that_cannot_be_run_are_left_out),
        cmocka_unit_test(shutting_out_half_way_forgets_the_samples),
        cmocka_unit_test(all_but_native_shut_out_leaves_native),
        cmocka_unit_test(a_group_list_all_shut_out_leaves_what_was_measured),
        cmocka_unit_test(a_list_all_shut_out_ends_with_native),
        cmocka_unit_test(a_chosen_method_shut_out_gives_way_to_native_then_to_the_best),
        cmocka_unit_test(no_candidates_or_too_many_give_no_tuner),
        cmocka_unit_test(a_damaged_list_is_refused),
        cmocka_unit_test(a_damaged_stage_or_delta_is_refused),
        cmocka_unit_test(a_damaged_number_of_calls_is_refused),
        cmocka_unit_test(a_damaged_reason_is_refused),
        cmocka_unit_test(every_reason_has_a_name),
        cmocka_unit_test(times_that_are_none_do_no_lasting_harm),
        cmocka_unit_test(times_of_nothing_keep_ranks_in_step),
        cmocka_unit_test(whatever_happens_what_cannot_be_run_is_not_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
