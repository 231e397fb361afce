/* SPDX-License-Identifier: BSD-3-Clause
 * What earlier runs saw, in the tuner of a later one. */
#include "lockstep.h"
#include "tuner/candidates.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"

#include <math.h>

static struct star_tuning tuning_of(int strategy)
{
    struct star_tuning tuning = usual((enum star_strategy)strategy);
    tuning.estimator = STAR_ESTIMATOR_AUTO;
    tuning.warmup = 1;
    return tuning;
}

static void start_seven(struct world *world, struct star_tuning tuning, const double *times)
{
    start(world, 3, tuning, seven_groups, times, 7);
}

/* The race gives others another chance now and then, for a hundredth of the time. */
static void expect_only(const struct world *world, int candidate)
{
    long others = world->calls - world->calls_of[candidate];
    assert_in_range(others, 0, world->tuning.strategy == STAR_RACE ? world->calls / 100 : 0);
}

/* All ranks remember that each candidate takes TIMES, with a twentieth of noise. */
static void recall(struct world *world, const double *times, double confidence)
{
    struct star_recollection known[7];
    for (int i = 0; i < 7; i++) /* in no order */
        known[i] = (struct star_recollection){(i + 3) % 7, 50, times[(i + 3) % 7], 0.05 * times[(i + 3) % 7]};
    for (int r = 0; r < world->size; r++)
        assert_true(star_tuner_recall(world->ranks[r], known, 7, confidence));
}

static void who_remembers_rightly_explores_next_to_nothing(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        recall(&world, seven_times, 0.9);
        assert_int_equal(current(&world), 5);
        assert_int_equal(stage(&world), STAR_MONITOR);
        run(&world, 500);
        expect_only(&world, 5);
        finish(&world);
    }
}

static double twice_as_long(struct world *world, int candidate, int rank)
{
    return (rank == 2 ? 2 : 1) * world->base[candidate];
}

/* Of broadcasts most ranks leave early; the maximum over ranks is far above the mean that is remembered. */
static void a_rank_that_always_takes_longer_is_no_change(void **state)
{
    (void)state;
    static const double means[] = {7e-3 * 4 / 3, 6e-3 * 4 / 3, 5e-3 * 4 / 3, 4e-3 * 4 / 3,
                                   3e-3 * 4 / 3, 2e-3 * 4 / 3, 8e-3 * 4 / 3};
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        world.seconds = twice_as_long;
        recall(&world, means, 0.9);
        run(&world, 500);
        expect_only(&world, 5);
        finish(&world);
    }
}

static double disturbed_at_first(struct world *world, int candidate, int rank)
{
    (void)rank;
    return world->base[candidate] * (world->calls < 3 ? 20 : 1);
}

static void a_slow_beginning_is_forgiven(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        world.seconds = disturbed_at_first;
        recall(&world, seven_times, 0.9);
        run(&world, 200);
        expect_only(&world, 5);
        finish(&world);
    }
}

/* All took longer then, some more than others: nobody is hopeless for that. */
static void what_is_faster_than_remembered_lets_others_catch_up(void **state)
{
    (void)state;
    double remembered[7];
    struct world world;
    for (int i = 0; i < 7; i++)
        remembered[i] = 6 * seven_times[i];
    remembered[4] = 6e-3; /* takes 3, and the best 2 */
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    recall(&world, remembered, 0.9);
    assert_int_equal(current(&world), 4);
    run(&world, 40000);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

/* All methods are reductions to rank 0: the others run ahead of it. */
static double to_rank_0(struct world *world, int candidate, int rank)
{
    return rank == 0 ? world->base[candidate] : 0.01 * world->base[candidate];
}

/* Whenever ranks have agreed, a pipeline is to be filled. */
static double filling(struct world *world, int candidate, int rank)
{
    static long agreements, calls;
    (void)rank;
    if (world->agreements != agreements || world->calls == 0) {
        agreements = world->agreements;
        calls = world->calls;
    }
    return world->base[candidate] * (1 + 1.1 * exp(-0.5 * (double)(world->calls - calls)));
}

static void a_pipeline_that_fills_is_still_believed(void **state)
{
    (void)state;
    struct star_tuning tuning = tuning_of(STAR_RACE);
    struct world world;
    static const struct star_recollection known[] = {
        {.candidate = 0, .count = 100, .mean = 3e-3, .deviation = 1e-4},
        {.candidate = 5, .count = 100, .mean = 2e-3, .deviation = 1e-4}};
    tuning.ranks = STAR_RANKS_AHEAD;
    start_seven(&world, tuning, seven_times);
    world.base[0] = 3e-3;
    world.seconds = filling;
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 2, 0.9));
    run(&world, 500);
    expect_only(&world, 5);
    finish(&world);
}

/* Counts fade with time. */
static void hardly_less_than_enough_is_enough(void **state)
{
    (void)state;
    static const struct star_recollection known[] = {
        {.candidate = 0, .count = 0.999, .mean = 7e-3, .deviation = 1e-4},
        {.candidate = 5, .count = 15.99, .mean = 2e-3, .deviation = 1e-4}};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 2, 0.9));
    assert_int_equal(current(&world), 5);
    run(&world, 60); /* native is looked at once, as it was seldom seen: that it was seen counts */
    assert_int_equal(current(&world), 5);
    expect_between(star_tuner_estimate(leader(&world), 0), 6.9e-3, 7.1e-3);
    finish(&world);
}

/* Where a topology is known there are many, and a run that finds the best at once knows two of them: at this
 * very point, but not far from it. */
static void two_of_many_are_enough_for_the_race(void **state)
{
    (void)state;
    static const struct star_recollection known[] = {
        {.candidate = 0, .count = 3, .mean = 7e-3, .deviation = 1e-4},
        {.candidate = 5, .count = STAR_LONG_RUN, .mean = 2e-3, .deviation = 1e-4}};
    const double share = 2.0 / CANDIDATES, at_it = share * share * STAR_LONG_RUN / (STAR_LONG_RUN + 2);
    int groups[CANDIDATES];
    double times[CANDIDATES];
    for (int i = 0; i < CANDIDATES; i++) {
        groups[i] = i;
        times[i] = i == 5 ? 2e-3 : 7e-3;
    }
    for (int far = 0; far < 2; far++) {
        struct world world;
        start(&world, 3, tuning_of(STAR_RACE), groups, times, CANDIDATES);
        for (int r = 0; r < world.size; r++)
            assert_true(star_tuner_recall(world.ranks[r], known, 2, far ? at_it / 2 : at_it));
        assert_int_equal(current(&world), far ? 0 : 5);
        finish(&world);
    }
}

/* What is remembered is the slowest rank's, and so is what it is compared with. */
static void where_ranks_run_ahead_nobody_has_to_catch_up(void **state)
{
    (void)state;
    struct star_tuning tuning = tuning_of(STAR_RACE);
    struct world world;
    tuning.ranks = STAR_RANKS_AHEAD;
    start_seven(&world, tuning, seven_times);
    world.seconds = to_rank_0;
    recall(&world, seven_times, 0.9);
    run(&world, 500);
    expect_only(&world, 5);
    finish(&world);
}

/* One call that is not counted and three that are. */
static void a_wrong_memory_is_noticed_within_four_calls(void **state)
{
    (void)state;
    double remembered[7];
    memcpy(remembered, seven_times, sizeof remembered);
    remembered[6] = 1e-3; /* which takes 8 */
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        recall(&world, remembered, 0.9);
        assert_int_equal(current(&world), 6);
        run(&world, 4);
        assert_int_equal(stage(&world), STAR_MEASURE);
        assert_int_equal(world.last.reason, STAR_FIRST);
        assert_int_equal(current(&world), 0);
        run(&world, 4000);
        run_to_choice(&world);
        assert_int_equal(current(&world), 5);
        finish(&world);
    }
}

static void of_short_calls_a_wrong_memory_is_noticed_within_53(void **state)
{
    (void)state;
    double brief[7], remembered[7];
    for (int i = 0; i < 7; i++)
        remembered[i] = brief[i] = 1e-3 * seven_times[i];
    remembered[4] = 1e-6;
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), brief);
    recall(&world, remembered, 0.9);
    assert_int_equal(current(&world), 4);
    run(&world, 53);
    assert_int_equal(stage(&world), STAR_MEASURE);
    assert_int_equal(current(&world), 0);
    finish(&world);
}

/* Whoever can write to the store can say that a method takes no time: it ran for 48 calls. */
static void a_memory_that_is_far_wrong_is_noticed_within_7(void **state)
{
    (void)state;
    double remembered[7];
    for (int i = 0; i < 7; i++)
        remembered[i] = 1e-4 * seven_times[i];
    remembered[6] = 1e-7; /* which takes 8 ms */
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        recall(&world, remembered, 0.9);
        assert_int_equal(current(&world), 6);
        run(&world, 7);
        assert_int_equal(stage(&world), STAR_MEASURE);
        assert_int_equal(current(&world), 0);
        run(&world, 4000);
        run_to_choice(&world);
        assert_int_equal(current(&world), 5);
        finish(&world);
    }
}

/* One of the two is a lie, and which one is found out by native. */
static void what_is_hardly_possible_is_not_believed(void **state)
{
    (void)state;
    for (int lie = 0; lie < 7; lie += 6) {
        double remembered[7];
        struct world world;
        memcpy(remembered, seven_times, sizeof remembered);
        remembered[lie] = lie == 0 ? 10 : 1e-9;
        start_seven(&world, tuning_of(STAR_RACE), seven_times);
        recall(&world, remembered, 0.9);
        assert_int_equal(stage(&world), STAR_MEASURE);
        assert_int_equal(current(&world), 0);
        run(&world, 500);
        assert_int_equal(current(&world), 5);
        assert_in_range(world.calls_of[0] + world.calls_of[6], 2, 30);
        assert_true(world.calls_of[6] <= 2);
        finish(&world);
    }
}

static void a_wrong_memory_costs_its_own_calls_and_the_budget(void **state)
{
    (void)state;
    double remembered[7], spent = 0;
    memcpy(remembered, seven_times, sizeof remembered);
    remembered[6] = 1e-3;
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    recall(&world, remembered, 0.9);
    for (int i = 0; i < 4000; i++) {
        spent += world.base[current(&world)];
        step(&world);
        double native = (double)world.calls * world.base[0], visit = 2 * 1e-3;
        assert_true(spent <= 1.05 * native + 4 * (8e-3 - 7e-3) + visit + 1e-9);
    }
    finish(&world);
}

static void a_doubtful_memory_only_orders(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        recall(&world, seven_times, strategy == STAR_RACE ? 0.0005 : 0.4);
        assert_int_equal(stage(&world), STAR_MEASURE);
        int native = strategy == STAR_RACE ? 4 : 11;
        run(&world, native);
        assert_int_equal(world.calls_of[0], native);
        step(&world);
        assert_int_equal(world.calls_of[5], 1);
        run(&world, 4000);
        run_to_choice(&world);
        assert_int_equal(current(&world), 5);
        finish(&world);
    }
}

/* Candidate 4 is the first of its group. */
static void who_was_best_of_its_group_stands_for_it(void **state)
{
    (void)state;
    struct world world;
    start_seven(&world, tuning_of(STAR_GROUPED), seven_times);
    recall(&world, seven_times, 0);
    run_to_decision(&world);
    assert_int_equal(world.calls_of[4], 0);
    assert_int_equal(world.calls_of[5], 11);
    assert_int_equal(world.calls_of[1], 0); /* 2 is faster */
    finish(&world);
}

static void without_a_budget_only_memory_counts(void **state)
{
    (void)state;
    double remembered[7];
    struct star_tuning tuning = tuning_of(STAR_RACE);
    tuning.budget = 0;
    struct world world;
    start_seven(&world, tuning, seven_times);
    recall(&world, seven_times, 0.9);
    run(&world, 5000);
    assert_int_equal(world.calls_of[5], 5000);
    finish(&world);

    memcpy(remembered, seven_times, sizeof remembered);
    remembered[6] = 1e-3;
    start_seven(&world, tuning, seven_times);
    recall(&world, remembered, 0.9);
    run(&world, 5000);
    assert_int_equal(world.calls_of[6], 4);
    assert_int_equal(world.calls_of[0], 4996);
    finish(&world);

    /* It is not as fast as it was, but faster than native. */
    remembered[6] = 8e-3;
    remembered[4] = 1e-3;
    start_seven(&world, tuning, seven_times);
    recall(&world, remembered, 0.9);
    run(&world, 5000);
    assert_int_equal(world.calls_of[4], 5000 - 4);
    assert_int_equal(world.calls_of[0], 4);
    finish(&world);
}

static void what_was_seen_once_counts_less(void **state)
{
    (void)state;
    static const struct star_recollection known[] = {
        {0, 50, 7e-3, 3e-4}, {4, 1, 2.9e-3, 0}, {5, 50, 3e-3, 1e-4}};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    assert_true(star_tuner_recall(world.ranks[0], known, 3, 1));
    assert_int_equal(current(&world), 5);
    finish(&world);
}

/* Calls until the fastest is chosen, which is twice as fast as the best that is remembered; earlier runs had
 * twice CALLS calls. */
static long calls_until_found(double calls)
{
    const struct star_recollection known[] = {{0, calls, 7e-3, 3e-4}, {3, calls, 4e-3, 1e-4}};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    world.agreeing = 1e-4;
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 2, 1));
    run(&world, 30);
    assert_int_equal(world.calls_of[3], 30);
    while (world.calls < 20000 && current(&world) != 5)
        step(&world);
    long found = world.calls;
    finish(&world);
    return found;
}

/* An earlier run has tried what is worth it in as many calls as it had. */
static void with_memory_others_are_tried_where_a_run_is_longer(void **state)
{
    (void)state;
    long after_few = calls_until_found(50), after_many = calls_until_found(500);
    assert_in_range(after_few, 100, 1000);
    assert_in_range(after_many, after_few + 1, 3000);
}

/* Others that may have become faster since: not only where this run is longer than the earlier ones. */
static void with_memory_others_have_a_chance_now_and_then(void **state)
{
    (void)state;
    struct star_recollection known[7];
    struct world world;
    for (int i = 0; i < 7; i++)
        known[i] = (struct star_recollection){i, 1000, seven_times[i], 1e-3 * seven_times[i]};
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 7, 1));
    run(&world, 5000); /* fewer than the 7000 of before */
    assert_int_equal(current(&world), 5);
    int visited = 0;
    for (int i = 0; i < 7; i++)
        visited += i != 5 && world.calls_of[i] > 0;
    assert_true(visited >= 2);
    expect_only(&world, 5);
    finish(&world);
}

/* It had reasons not to try others, such as forecasts, which this one may not have asked for yet. */
static void what_earlier_runs_left_aside_is_not_tried_at_once(void **state)
{
    (void)state;
    static const struct star_recollection known[] = {{0, 300, 3.1e-3, 1e-4}, {5, 300, 3e-3, 1e-4}};
    static const double times[] = {3.1e-3, 30e-3, 30e-3, 30e-3, 30e-3, 3e-3, 30e-3};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), times);
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 2, 1));
    run(&world, 100);
    assert_int_equal(world.calls_of[0] + world.calls_of[5], 100);
    finish(&world);
}

/* The other one is faster by 2 %: what a hundred calls gain by it is less than the agreements that it takes
 * to change; but not what two thousand do. */
static void hardly_faster_is_no_reason_to_change_in_a_short_run(void **state)
{
    (void)state;
    static const struct star_recollection known[] = {
        {0, 250, 7e-3, 3e-4}, {4, 250, 3e-3, 1e-5}, {5, 250, 3e-3, 1e-6}};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    world.base[4] = 3e-3;
    world.base[5] = 3.06e-3;
    world.agreeing = 4e-3;
    for (int r = 0; r < world.size; r++)
        assert_true(star_tuner_recall(world.ranks[r], known, 3, 1));
    run(&world, 400);
    assert_true(world.calls_of[4] < 3);
    run(&world, 8000);
    assert_int_equal(current(&world), 4);
    finish(&world);
}

static void tuning_begins_where_the_remembered_method_cannot_be_run(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct world world;
        start_seven(&world, tuning_of(strategy), seven_times);
        recall(&world, seven_times, 0.9);
        world.unable[5] = true;
        run(&world, 3); /* it is found out, native warms up and makes up the period */
        assert_int_equal(stage(&world), STAR_MEASURE);
        run(&world, 4000);
        run_to_choice(&world);
        assert_int_equal(current(&world), 4);
        finish(&world);
    }
}

static void what_is_no_memory_changes_nothing(void **state)
{
    (void)state;
    static const struct star_recollection bad[][2] = {
        {{5, 9, 1, 0}, {7, 9, 1, 0}},  {{5, 9, 1, 0}, {-1, 9, 1, 0}},  {{5, 9, 1, 0}, {5, 9, 1, 0}},
        {{5, 9, 1, 0}, {4, 0, 1, 0}},  {{5, 9, 1, 0}, {4, 9, 0, 0}},   {{5, 9, 1, 0}, {4, 9, NAN, 0}},
        {{5, 9, 1, 0}, {4, 9, 1, -1}}, {{5, 9, 1, 0}, {4, NAN, 1, 0}}, {{5, 9, 1, 0}, {4, 9, INFINITY, 0}}};
    struct world world;
    start_seven(&world, tuning_of(STAR_RACE), seven_times);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(star_tuner_recall(world.ranks[0], bad[i], 2, 1));
    assert_int_equal(current(&world), 0);
    assert_true(star_tuner_recall(world.ranks[0], NULL, 0, 1));
    assert_int_equal(current(&world), 0);
    assert_int_equal(stage(&world), STAR_MEASURE);
    finish(&world);
}

/* Right or wrong, sure or not, of some or all: ranks whose times differ wildly stay in step. */
static void ranks_stay_in_step_whatever_they_remember(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < trials(200, 40); trial++) {
        struct world world;
        struct star_recollection known[CANDIDATES];
        int count = 0;
        start_random(&world, &seed);
        for (int i = 0; i < world.count; i++)
            if (random_below(&seed, 3))
                known[count++] =
                    (struct star_recollection){i, (double)(1 + random_below(&seed, 90)),
                                               1e-6 * (double)(1 + random_below(&seed, 100000)), 1e-6};
        double confidence = (double)random_below(&seed, 100) / 100;
        for (int r = 0; r < world.size; r++)
            assert_true(star_tuner_recall(world.ranks[r], known, count, confidence));
        world.unable[random_below(&seed, (uint64_t)world.count)] = world.count > 1;
        run(&world, 3000); /* every step checks it */
        finish(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_remembers_rightly_explores_next_to_nothing),
        cmocka_unit_test(a_rank_that_always_takes_longer_is_no_change),
        cmocka_unit_test(a_slow_beginning_is_forgiven),
        cmocka_unit_test(what_is_faster_than_remembered_lets_others_catch_up),
        cmocka_unit_test(a_pipeline_that_fills_is_still_believed),
        cmocka_unit_test(hardly_less_than_enough_is_enough),
        cmocka_unit_test(two_of_many_are_enough_for_the_race),
        cmocka_unit_test(where_ranks_run_ahead_nobody_has_to_catch_up),
        cmocka_unit_test(a_wrong_memory_is_noticed_within_four_calls),
        cmocka_unit_test(of_short_calls_a_wrong_memory_is_noticed_within_53),
        cmocka_unit_test(a_memory_that_is_far_wrong_is_noticed_within_7),
        cmocka_unit_test(what_is_hardly_possible_is_not_believed),
        cmocka_unit_test(a_wrong_memory_costs_its_own_calls_and_the_budget),
        cmocka_unit_test(a_doubtful_memory_only_orders),
        cmocka_unit_test(who_was_best_of_its_group_stands_for_it),
        cmocka_unit_test(without_a_budget_only_memory_counts),
        cmocka_unit_test(what_was_seen_once_counts_less),
        cmocka_unit_test(with_memory_others_are_tried_where_a_run_is_longer),
        cmocka_unit_test(with_memory_others_have_a_chance_now_and_then),
        cmocka_unit_test(what_earlier_runs_left_aside_is_not_tried_at_once),
        cmocka_unit_test(hardly_faster_is_no_reason_to_change_in_a_short_run),
        cmocka_unit_test(tuning_begins_where_the_remembered_method_cannot_be_run),
        cmocka_unit_test(what_is_no_memory_changes_nothing),
        cmocka_unit_test(ranks_stay_in_step_whatever_they_remember),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
