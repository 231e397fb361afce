/* SPDX-License-Identifier: BSD-3-Clause
 * The chosen method is watched for a change: by what it usually takes, not by what others took. */
#include "lockstep.h"
#include "tuner/decision.h"
#include "tuner/tuning.h"

#include <math.h>

static struct star_tuning watching(void)
{
    struct star_tuning tuning = usual(STAR_RACE);
    tuning.estimator = STAR_ESTIMATOR_AUTO;
    tuning.watch = STAR_WATCH_CHANGE;
    tuning.warmup = 1;
    tuning.confirm = true;
    return tuning;
}

/* 6 % of noise, the same on all ranks, and SPIKES of a hundred calls that take 2 to 10 times as long. */
static double noise_with(struct world *world, int candidate, int rank, uint64_t spikes)
{
    static double factor;
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < 12; i++)
            sum += (double)random_below(&world->seed, 1000000) / 1e6;
        factor = fmax(0.7, 1 + 0.06 * (sum - 6));
        if (random_below(&world->seed, 100) < spikes)
            factor *= 2 + (double)random_below(&world->seed, 8);
    }
    return world->base[candidate] * factor;
}

static double quiet(struct world *world, int candidate, int rank)
{
    return noise_with(world, candidate, rank, 0);
}

static double spiky(struct world *world, int candidate, int rank)
{
    return noise_with(world, candidate, rank, 3);
}

/* Noise that lasts: what other programs do to a machine, by a tenth, for some hundred calls at a time. */
static double moody(struct world *world, int candidate, int rank)
{
    static double mood = 1;
    if (rank == 0 && random_below(&world->seed, 300) == 0)
        mood = 0.95 + (double)random_below(&world->seed, 100) / 1000;
    return mood * noise_with(world, candidate, rank, 1);
}

static void start_watching(struct world *world, double (*seconds)(struct world *, int, int), uint64_t seed)
{
    start(world, 2, watching(), seven_groups, seven_times, 7);
    world->seed = seed;
    run(world, 4000);
    run_to_choice(world);
    assert_int_equal(current(world), 5);
    world->seconds = seconds;
}

static long count_alarms(struct world *world, long calls)
{
    long alarms = 0;
    for (long end = world->calls + calls; world->calls < end;) {
        run_to_decision(world);
        alarms += world->last.reason == STAR_OVERTAKEN;
    }
    return alarms;
}

/* In so many runs of 10⁵ calls each, as many at most. */
static void false_alarms_are_at_most_one_in_100000_calls(void **state)
{
    (void)state;
    double (*const noises[])(struct world *, int, int) = {quiet, spiky, moody};
    for (int i = 0; i < 3; i++) {
        long alarms = 0, runs = trials(50, 3);
        for (uint64_t seed = 1; seed <= (uint64_t)runs; seed++) {
            struct world world;
            start_watching(&world, noises[i], seed);
            alarms += count_alarms(&world, 100000);
            finish(&world);
        }
        print_message("false alarms in %ld runs of 100000 calls: %ld\n", runs, alarms);
        assert_in_range(alarms, 0, runs);
    }
}

/* Wherever in a period it begins; two periods, and three short ones of 20, 40 and 80 calls; and what visits
 * of others take in between. */
static void a_slow_down_of_a_fifth_is_noticed_within_two_periods(void **state)
{
    (void)state;
    double (*const noises[])(struct world *, int, int) = {really, quiet, spiky};
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= (uint64_t)trials(30, 4); seed++) {
            struct world world;
            long begin;
            start_watching(&world, noises[i], seed);
            run(&world, 20000 + (long)seed * 131);
            begin = world.calls;
            world.base[5] *= 1.2;
            while (world.last.reason != STAR_OVERTAKEN && world.calls < begin + 10000)
                run_to_decision(&world);
            assert_in_range(world.calls - begin, 0, 2 * 2048 + 140 + 40);
            finish(&world);
        }
}

static void the_method_that_is_fastest_then_takes_over(void **state)
{
    (void)state;
    struct world world;
    start_watching(&world, spiky, 3);
    world.base[5] = 3.6e-3; /* the second best takes 3 ms */
    run(&world, 10000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 4);
    finish(&world);
}

/* Ten times as slow for 128 calls, at the beginning of a period, in it, and across its end. */
static void a_disturbance_that_passes_causes_no_switch(void **state)
{
    (void)state;
    for (long where = 0; where < 2048; where += trials(32, 256)) {
        struct world world;
        start_watching(&world, spiky, 5);
        run(&world, 20000);
        run_to_decision(&world);
        run(&world, where);
        world.base[5] = 2e-2;
        run(&world, 128);
        world.base[5] = 2e-3;
        assert_int_equal(count_alarms(&world, 20000), 0);
        run_to_choice(&world);
        assert_int_equal(current(&world), 5);
        finish(&world);
    }
}

/* The whole network is slower: there is a race, but the same method wins it. */
static void when_all_get_slower_the_same_method_stays(void **state)
{
    (void)state;
    struct world world;
    start_watching(&world, spiky, 7);
    for (int i = 0; i < 7; i++)
        world.base[i] *= 1.5;
    run(&world, 30000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    assert_int_equal(count_alarms(&world, 50000), 0);
    finish(&world);
}

static void the_papers_strategies_can_be_watched_so_too(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.watch = STAR_WATCH_CHANGE;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    run(&world, 3000);
    assert_int_equal(current(&world), 5);
    world.base[5] = 3.2e-3; /* the second best takes 3 ms, and a tenth more would be needed */
    run(&world, 6000);
    assert_int_equal(current(&world), 5);
    world.base[5] = 5e-3;
    run(&world, 6000);
    assert_int_equal(current(&world), 4);
    finish(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_are_at_most_one_in_100000_calls),
        cmocka_unit_test(a_slow_down_of_a_fifth_is_noticed_within_two_periods),
        cmocka_unit_test(the_method_that_is_fastest_then_takes_over),
        cmocka_unit_test(a_disturbance_that_passes_causes_no_switch),
        cmocka_unit_test(when_all_get_slower_the_same_method_stays),
        cmocka_unit_test(the_papers_strategies_can_be_watched_so_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
