/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner measures and chooses. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "lockstep.h"
#include "plan/plan.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/sample.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/seconds.h"
#include "util/settings.h"
#include "util/why.h"

#include <math.h>

static void native_is_measured_first(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy <= STAR_GROUPED; strategy++) {
        struct world world;
        start(&world, 3, usual(strategy), seven_groups, seven_times, 7);
        assert_int_equal(stage(&world), STAR_MEASURE);
        for (int i = 0; i < 10; i++) {
            assert_int_equal(current(&world), 0);
            step(&world);
        }
        assert_int_not_equal(current(&world), 0);
        finish(&world);
    }
}

static void exhaustive_finds_the_fastest_wherever_it_stands(void **state)
{
    (void)state;
    for (int best = 0; best < 7; best++) {
        struct world world;
        start(&world, 4, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
        world.base[best] = 1e-3;
        world.leader = best % 4;
        assert_int_equal(run_to_choice(&world), 7 * 10);
        assert_int_equal(current(&world), best);
        assert_int_equal(world.agreements, 1);
        assert_int_equal(world.last.reason, STAR_SELECTED);
        finish(&world);
    }
}

static void grouped_finds_the_fastest_of_the_best_group(void **state)
{
    (void)state;
    struct world world;
    start(&world, 4, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_GROUP);
    assert_int_equal(world.calls, 4 * 10);
    assert_int_equal(stage(&world), STAR_MEASURE);
    run_to_decision(&world);
    assert_int_equal(world.calls, 6 * 10);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(current(&world), 5);
    assert_int_equal(world.last.reason, STAR_SELECTED);
    assert_int_equal(world.calls_of[2], 0); /* of a group that lost */
    finish(&world);
}

static void ordered_candidates_are_measured_in_that_order_and_the_rest_never(void **state)
{
    (void)state;
    static const int16_t order[] = {0, 5, 4, 3, 2};
    static const int expected[] = {0, 5, 3, 2}; /* the first of each group */
    struct world world;
    struct star_tuner *tuner;
    start(&world, 1, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    tuner = world.ranks[0];
    assert_true(star_tuner_order(tuner, order, 5));
    for (int i = 0; i < 4; i++)
        for (int call = 0; call < 10; call++) {
            assert_int_equal(order[star_tuner_candidate(tuner)], expected[i]);
            assert_int_equal(star_tuner_record(tuner, 1e-3), i == 3 && call == 9);
        }
    finish(&world);
}

static void what_is_no_order_changes_nothing(void **state)
{
    (void)state;
    static const int16_t bad[][3] = {{1, 0, 2}, {0, 2, 2}, {0, -1, 2}, {0, 7, 2}};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (int i = 0; i < 4; i++)
        assert_false(star_tuner_order(world.ranks[0], bad[i], 3));
    assert_false(star_tuner_order(world.ranks[0], bad[0], 0));
    assert_false(star_tuner_order(world.ranks[0], bad[0] + 1, 8));
    assert_int_equal(run_to_choice(&world), 7 * 10);
    finish(&world);
}

static void native_is_measured_again_before_it_is_replaced(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.confirm = true;
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_CONFIRM);
    assert_int_equal(stage(&world), STAR_MEASURE);
    assert_int_equal(current(&world), 0);
    world.base[0] = 1e-3; /* it was slow only because the program had just begun */
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_SELECTED);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(current(&world), 0);
    finish(&world);
}

static void the_best_replaces_native_once_that_is_confirmed(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_GROUPED);
    tuning.confirm = true;
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    assert_int_equal(world.calls, (6 + 2) * 10);
    assert_int_equal(world.last.reason, STAR_SELECTED);
    finish(&world);
}

static void native_that_is_best_needs_no_confirmation(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.confirm = true;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    world.base[0] = 1e-3;
    run_to_choice(&world);
    assert_int_equal(current(&world), 0);
    assert_int_equal(world.calls, 7 * 10);
    finish(&world);
}

static void short_calls_are_sampled_once_a_method_is_chosen(void **state)
{
    (void)state;
    static const double base[][2] = {{7e-6, 3e-6}, {14e-6, 12e-6}, {7e-5, 5e-5}};
    static const int stride[] = {16, 4, 1};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.sample = 16;
    for (int i = 0; i < 3; i++) {
        struct world world;
        start(&world, 2, tuning, seven_groups, base[i], 2);
        assert_int_equal(star_tuner_stride(world.ranks[1]), 1);
        run_to_choice(&world);
        for (int r = 0; r < 2; r++)
            assert_int_equal(star_tuner_stride(world.ranks[r]), stride[i]);
        finish(&world);
    }
}

static void what_timing_takes_stays_a_small_share(void **state)
{
    (void)state;
    for (int64_t nanoseconds = 1; nanoseconds < 10000000; nanoseconds += nanoseconds / 16 + 1)
        for (int64_t sample = 1; sample <= 1000; sample *= 10) {
            double apart = (double)star_stride_of(sample, (double)nanoseconds * 1e-9) * (double)nanoseconds;
            assert_true(apart >= 0.66 * 3000 * (double)sample || nanoseconds <= 3000);
            assert_true(apart <= 1.5 * 3000 * (double)sample || nanoseconds > 3000 * sample);
        }
    assert_int_equal(star_stride_of(16, STAR_UNKNOWN_SECONDS), 1);
    assert_int_equal(star_stride_of(16, 0), 16);
}

/* What comes again each so many calls is met as often as all else. */
static void which_calls_are_timed_follows_no_loop(void **state)
{
    (void)state;
    enum { TIMED = 20000, STRIDE = 16 };
    static const double brief[] = {4e-6, 3e-6};
    static const int loops[] = {2, 3, 4, 8, 13, 16, 32, 64};
    for (size_t l = 0; l < sizeof loops / sizeof *loops; l++) {
        struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
        struct world world;
        int64_t at = 0, met[64] = {0};
        tuning.sample = STRIDE;
        start(&world, 2, tuning, seven_groups, brief, 2);
        run_to_choice(&world);
        for (int i = 0; i < TIMED; i++) {
            met[at % loops[l]]++;
            step(&world);
            at += 1 + star_tuner_gap(world.ranks[0]);
        }
        for (int i = 0; i < loops[l]; i++)
            expect_between((double)met[i] * loops[l] / TIMED, 0.7, 1.3);
        expect_between((double)at / TIMED, STRIDE * 0.99, STRIDE * 1.01);
        finish(&world);
    }
}

static void a_group_whose_others_disappoint_keeps_its_first(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.base[4] = 1e-3;
    run_to_choice(&world);
    assert_int_equal(current(&world), 4);
    finish(&world);
}

/* Table 1 of paper 000 has 90 invocations for 9 algorithms, and 50 or 60 with groups. */
static long invocations(enum star_strategy strategy, int warmup, const char *fastest)
{
    static const char papers[] = "alltoall:simple alltoall:linear "
                                 "alltoall:ring alltoall:ring,sync=light alltoall:ring,sync=barrier "
                                 "alltoall:pair alltoall:pair,sync=light alltoall:pair,sync=barrier";
    struct star_methods only, candidates;
    int *groups;
    struct star_shape shape = star_shape_of(8, 2048);
    assert_int_equal(star_methods_parse(papers, &only, NULL), 0);
    assert_int_equal(star_candidates(&only, STAR_ALLTOALL, &shape, 2048, false, &candidates, &groups), 0);
    struct star_method wanted;
    assert_int_equal(star_method_parse(fastest, &wanted, NULL), 0);
    double base[CANDIDATES];
    for (int i = 0; i < candidates.count; i++)
        base[i] = star_method_equal(&candidates.at[i], &wanted) ? 1e-3 : 2e-3 + i * 1e-4;
    struct star_tuning tuning = usual(strategy);
    tuning.warmup = warmup;
    struct world world;
    start(&world, 8, tuning, groups, base, candidates.count);
    long calls = run_to_choice(&world);
    assert_true(star_method_equal(&candidates.at[current(&world)], &wanted));
    finish(&world);
    star_methods_free(&candidates);
    star_methods_free(&only);
    free(groups);
    return calls;
}

static void the_invocations_are_those_of_the_paper(void **state)
{
    (void)state;
    assert_int_equal(invocations(STAR_EXHAUSTIVE, 0, "alltoall:simple"), 90);
    assert_int_equal(invocations(STAR_EXHAUSTIVE, 0, "alltoall:pair,sync=light"), 90);
    assert_int_equal(invocations(STAR_GROUPED, 0, "alltoall:native"), 50);
    assert_int_equal(invocations(STAR_GROUPED, 0, "alltoall:simple"), 60);
    assert_int_equal(invocations(STAR_GROUPED, 0, "alltoall:ring,sync=light"), 60);
}

static void each_change_of_method_costs_its_warmup(void **state)
{
    (void)state;
    assert_int_equal(invocations(STAR_EXHAUSTIVE, 1, "alltoall:simple"), 9 * 11);
    assert_int_equal(invocations(STAR_EXHAUSTIVE, 3, "alltoall:simple"), 9 * 13);
    assert_int_equal(invocations(STAR_GROUPED, 2, "alltoall:ring"), 6 * 12);
}

static double wild_when_not_counted(struct world *world, int candidate, int rank)
{
    if (star_tuner_counts(world->ranks[rank]))
        return world->base[candidate];
    return candidate % 2 ? 1000 : 1e-9;
}

static void warmup_calls_are_not_counted(void **state)
{
    (void)state;
    for (int estimator = STAR_MIN_OF_MEAN; estimator <= STAR_MAX_OF_FILTERED_MEAN; estimator++) {
        struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
        tuning.warmup = 2;
        tuning.estimator = estimator;
        struct world world;
        start(&world, 3, tuning, seven_groups, seven_times, 7);
        world.seconds = wild_when_not_counted;
        assert_false(star_tuner_counts(world.ranks[0]));
        run_to_choice(&world);
        for (int i = 0; i < 7; i++)
            assert_true(fabs(star_tuner_estimate(leader(&world), i) - seven_times[i]) < 1e-12);
        run(&world, 2); /* back to the chosen one: a change as well */
        assert_true(star_tuner_counts(world.ranks[0]));
        run_to_decision(&world);
        assert_int_equal(world.last.reason, STAR_KEPT);
        finish(&world);
    }
}

static void ranks_stay_in_step_though_their_times_differ_wildly(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy <= STAR_GROUPED; strategy++)
        for (int estimator = STAR_MIN_OF_MEAN; estimator <= STAR_MAX_OF_FILTERED_MEAN; estimator++) {
            struct star_tuning tuning = usual(strategy);
            tuning.estimator = estimator;
            tuning.warmup = 1;
            tuning.delta_most = 8;
            struct world world;
            start(&world, 6, tuning, seven_groups, seven_times, 7);
            world.seconds = wild;
            world.leader = 4;
            run(&world, 20000); /* every step checks it */
            assert_true(world.agreements > 100);
            finish(&world);
        }
}

static void one_candidate_never_agrees(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_GROUPED), seven_groups, seven_times, 1);
    run(&world, 100000);
    assert_int_equal(world.agreements, 0);
    assert_int_equal(world.calls_of[0], 100000);
    assert_int_equal(stage(&world), STAR_MONITOR);
    finish(&world);
}

static double from_table(struct world *world, int candidate, int rank)
{
    static const double table[2][2][4] = {{{1, 5, 3, 9}, {1, 1, 2, 10}}, {{3, 1, 9, 9}, {2, 2, 2, 2}}};
    return table[rank][candidate][world->calls % 4];
}

static void min_of_mean_is_the_least_call_averaged_over_ranks(void **state)
{
    (void)state;
    static const int groups[] = {0, 1};
    static const double means[] = {2, 3, 6, 9};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.iter = 4;
    struct world world;
    start(&world, 2, tuning, groups, seven_times, 2);
    world.seconds = from_table;
    assert_false(star_is_known(star_tuner_estimate(leader(&world), 0)));
    int count;
    assert_null(star_tuner_samples(leader(&world), 0, &count));
    run_to_choice(&world);
    assert_true(fabs(star_tuner_estimate(leader(&world), 0) - 2) < 1e-12);
    assert_true(fabs(star_tuner_estimate(leader(&world), 1) - 1.5) < 1e-12);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(star_tuner_samples(leader(&world), 0, &count)[i] - means[i]) < 1e-12);
    assert_int_equal(current(&world), 1);
    finish(&world);
}

static void max_of_filtered_mean_is_that_of_the_slowest_rank(void **state)
{
    (void)state;
    static const int groups[] = {0, 1};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.iter = 4;
    tuning.estimator = STAR_MAX_OF_FILTERED_MEAN;
    struct world world;
    start(&world, 2, tuning, groups, seven_times, 2);
    world.seconds = from_table;
    run_to_choice(&world);
    /* Candidate 0: of {1, 5, 3, 9} and of {3, 1, 9, 9} most would be outliers, so none is.
     * Candidate 1: rank 0 keeps 1, 1, 2 of {1, 1, 2, 10}; rank 1 keeps all of {2, 2, 2, 2}. */
    assert_true(fabs(star_tuner_estimate(leader(&world), 0) - 5.5) < 1e-12);
    assert_true(fabs(star_tuner_estimate(leader(&world), 1) - 2) < 1e-12);
    assert_int_equal(current(&world), 1);
    finish(&world);
}

static void the_filter_drops_samples_from_three_times_the_least(void **state)
{
    (void)state;
    assert_true(fabs(star_filtered_mean((double[]){1, 2, 2.9, 3, 100}, 5) - 5.9 / 3) < 1e-12);
    assert_true(fabs(star_filtered_mean((double[]){5}, 1) - 5) < 1e-12);
    assert_true(fabs(star_filtered_mean((double[]){4, 4, 4}, 3) - 4) < 1e-12);
    assert_true(fabs(star_filtered_mean((double[]){9, 3, 8.999, 3.001}, 4) - (3 + 8.999 + 3.001) / 3) <
                1e-12);
    assert_true(star_filtered_mean((double[]){0, 0, 5}, 3) == 0);
}

static void what_most_samples_are_is_no_outlier(void **state)
{
    (void)state;
    assert_true(fabs(star_filtered_mean((double[]){1, 9, 8, 1, 10}, 5) - 5.8) < 1e-12);
}

static void equals_go_to_native(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy <= STAR_GROUPED; strategy++) {
        static const double same[] = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3};
        struct world world;
        start(&world, 2, usual(strategy), seven_groups, same, 7);
        run_to_choice(&world);
        assert_int_equal(current(&world), 0);
        run_to_decision(&world);
        assert_int_equal(world.last.reason, STAR_KEPT);
        finish(&world);
    }
}

static void with_steady_times_exhaustive_always_ends_with_the_fastest(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int trial = 0; trial < 150; trial++) {
        struct world world;
        start_random(&world, &seed);
        if (world.tuning.strategy == STAR_EXHAUSTIVE) {
            world.seconds = really;
            run_to_choice(&world);
            for (int i = 0; i < world.count; i++)
                assert_true(world.base[current(&world)] <= world.base[i] * (1 + 1e-12));
        }
        finish(&world);
    }
}

/* Nothing is known before the first decision; then, in the race, of those that were visited. */
static void where_a_run_ends_the_fastest_so_far_is_named(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_RACE), seven_groups, seven_times, 7);
    assert_int_equal(star_tuner_fastest(world.ranks[0]), -1);
    for (int calls = 0; calls < 3000; calls++) {
        run(&world, 1);
        int fastest = star_tuner_fastest(world.ranks[0]);
        if (stage(&world) == STAR_MONITOR)
            assert_int_equal(fastest, current(&world));
        else if (fastest >= 0)
            for (int i = 0; i < 7; i++)
                assert_false(world.calls_of[i] > 0 && star_tuner_estimate(world.ranks[0], i) <
                                                          star_tuner_estimate(world.ranks[0], fastest));
    }
    assert_int_equal(star_tuner_fastest(world.ranks[0]), 5);
    finish(&world);
}

static double twice_on_the_last(struct world *world, int candidate, int rank)
{
    return (rank == 2 ? 2 : 1) * world->base[candidate] * (world->calls == 0 ? 50 : 1);
}

/* Of a mean over ranks of 4/3. The first call, which is not counted, is none of it, however long it takes. */
static void the_leader_knows_its_part_of_what_the_first_one_takes(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        struct star_tuning tuning = usual((enum star_strategy)strategy);
        tuning.warmup = 1;
        start(&world, 3, tuning, seven_groups, seven_times, 7);
        world.seconds = twice_on_the_last;
        assert_true(star_tuner_part(leader(&world)) == 1);
        run(&world, 500);
        assert_true(fabs(star_tuner_part(leader(&world)) - 0.75) < 1e-9);
        finish(&world);
    }
}

static void settings_reach_the_tuner(void **state)
{
    (void)state;
    static const char *const values[][2] = {{"budget", "0.07"}, {"iter", "11"},       {"epsilon", "0.3"},
                                            {"sample", "5"},    {"delta-most", "77"}, {"confidence", "9"},
                                            {"warmup", "4"}};
    struct star_settings settings;
    struct star_why why;
    star_settings_preset(&settings);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (star_settings_set(&settings, values[i][0], values[i][1], &why))
            fail_msg("%s", why.text);
    struct star_tuning tuning = star_tuning_of(&settings, STAR_RANKS_MEET);
    assert_true(tuning.budget == 0.07 && tuning.epsilon == 0.3);
    assert_true(tuning.iter == 11 && tuning.sample == 5 && tuning.delta_most == 77 &&
                tuning.confidence == 9 && tuning.warmup == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_reach_the_tuner),
        cmocka_unit_test(the_leader_knows_its_part_of_what_the_first_one_takes),
        cmocka_unit_test(where_a_run_ends_the_fastest_so_far_is_named),
        cmocka_unit_test(native_is_measured_first),
        cmocka_unit_test(exhaustive_finds_the_fastest_wherever_it_stands),
        cmocka_unit_test(grouped_finds_the_fastest_of_the_best_group),
        cmocka_unit_test(ordered_candidates_are_measured_in_that_order_and_the_rest_never),
        cmocka_unit_test(what_is_no_order_changes_nothing),
        cmocka_unit_test(native_is_measured_again_before_it_is_replaced),
        cmocka_unit_test(the_best_replaces_native_once_that_is_confirmed),
        cmocka_unit_test(native_that_is_best_needs_no_confirmation),
        cmocka_unit_test(short_calls_are_sampled_once_a_method_is_chosen),
        cmocka_unit_test(what_timing_takes_stays_a_small_share),
        cmocka_unit_test(which_calls_are_timed_follows_no_loop),
        cmocka_unit_test(a_group_whose_others_disappoint_keeps_its_first),
        cmocka_unit_test(the_invocations_are_those_of_the_paper),
        cmocka_unit_test(each_change_of_method_costs_its_warmup),
        cmocka_unit_test(warmup_calls_are_not_counted),
        cmocka_unit_test(ranks_stay_in_step_though_their_times_differ_wildly),
        cmocka_unit_test(one_candidate_never_agrees),
        cmocka_unit_test(min_of_mean_is_the_least_call_averaged_over_ranks),
        cmocka_unit_test(max_of_filtered_mean_is_that_of_the_slowest_rank),
        cmocka_unit_test(the_filter_drops_samples_from_three_times_the_least),
        cmocka_unit_test(what_most_samples_are_is_no_outlier),
        cmocka_unit_test(equals_go_to_native),
        cmocka_unit_test(with_steady_times_exhaustive_always_ends_with_the_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
