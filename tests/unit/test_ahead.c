/* SPDX-License-Identifier: BSD-3-Clause
 * The race where ranks run ahead of each other: what counts is the long run, and the slowest rank. */
#include "lockstep.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/sample.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/settings.h"

#include <math.h>

/* Calls of CANDIDATE in a row before this one. */
static int calls_before(int candidate, int rank)
{
    static int last, streak;
    if (rank == 0) {
        streak = candidate == last ? streak + 1 : 0;
        last = candidate;
    }
    return streak;
}

static double streak_seconds(struct world *world, int candidate, int rank)
{
    int streak = calls_before(candidate, rank);
    /* Candidate 3 is done at once as long as the messages fit somewhere. */
    return candidate == 3 ? (streak < 6 ? 1e-4 : 9e-3) : world->base[candidate];
}

static void a_method_that_only_begins_fast_does_not_win(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0.5), seven_groups, seven_times, 7);
    world.seconds = streak_seconds;
    run(&world, 6000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    assert_true(world.calls_of[5] > 5000);
    finish(&world);
}

/* In candidate 3 ranks run ahead of each other, and each fourth call waits for all. */
static double deferred(struct world *world, int candidate, int rank)
{
    return candidate != 3 ? really(world, candidate, rank) : world->calls_of[3] % 4 == 3 ? 40e-3 : 0.2e-3;
}

/* Candidate 3 is a reduction whose root is rank 0, for which the others need not wait. */
static double to_a_root(struct world *world, int candidate, int rank)
{
    return candidate != 3 ? really(world, candidate, rank) : rank == 0 ? 5e-3 : 0.1e-3;
}

/* The same, but the root need not wait in each call: it catches up in every fourth. */
static double to_a_root_at_last(struct world *world, int candidate, int rank)
{
    if (candidate != 3 || rank != 0)
        return to_a_root(world, candidate, rank);
    return world->calls_of[3] % 4 == 3 ? 10e-3 : 0.2e-3;
}

static void expect_not_taken_in(struct star_tuning tuning, double (*seconds)(struct world *, int, int))
{
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    world.seconds = seconds;
    run(&world, 3000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    assert_true(world.calls_of[3] < 300);
    finish(&world);
}

/* That is no outlier: it happens too often. */
static void what_is_put_off_counts(void **state)
{
    (void)state;
    expect_not_taken_in(racing(0.05), deferred);
}

/* What reports and wisdom are told. */
static void samples_last_as_long_as_on_the_slowest_rank(void **state)
{
    (void)state;
    static const enum star_ranks kinds[] = {STAR_RANKS_MEET, STAR_RANKS_AHEAD, STAR_RANKS_APART};
    for (int kind = 0; kind < 3; kind++) {
        struct star_tuning tuning = racing(0.05);
        struct world world;
        int count;
        tuning.ranks = kinds[kind];
        start(&world, 3, tuning, seven_groups, seven_times, 7);
        world.seconds = to_a_root;
        run(&world, 3000);
        const double *samples = star_tuner_samples(leader(&world), 3, &count);
        assert_true(count > 0 && fabs(samples[0] - (kind > 0 ? 5e-3 : 5.2e-3 / 3)) < 1e-9);
        finish(&world);
    }
}

/* Nobody waits for an agreement there, but its messages take their time: few calls, few agreements. */
static void agreements_are_few_where_calls_are_short(void **state)
{
    (void)state;
    struct world world;
    struct star_tuning tuning = racing(0.05);
    tuning.ranks = STAR_RANKS_AHEAD;
    static const double times[] = {20e-6, 22e-6, 24e-6, 19.9e-6, 25e-6, 30e-6, 40e-6};
    start(&world, 3, tuning, seven_groups, times, 7);
    world.agreeing = 0;
    run(&world, 1000);
    assert_true(world.agreements >= 3);
    assert_true(world.agreements < 20);
    finish(&world);
}

/* In the mean over ranks it seems to be the fastest. */
static void where_ranks_run_ahead_the_slowest_one_counts(void **state)
{
    (void)state;
    struct star_tuning tuning = racing(0.05);
    tuning.ranks = STAR_RANKS_AHEAD;
    expect_not_taken_in(tuning, to_a_root);
    expect_not_taken_in(tuning, to_a_root_at_last);
}

/* Function 1 is rank 0's work. */
static double uneven(struct world *world, int candidate, int rank)
{
    return candidate == 1 && rank > 0 ? 0.2e-3 : world->base[candidate];
}

/* The mean over ranks of function 1 is the lower one, and the program goes on when all are done. */
static void of_a_request_the_slowest_rank_counts(void **state)
{
    (void)state;
    static const int groups[] = {0, 1};
    static const double base[] = {20e-3, 50e-3};
    for (int apart = 0; apart < 2; apart++) {
        struct star_tuning tuning = racing(0.05);
        struct world world;
        tuning.ranks = apart ? STAR_RANKS_APART : STAR_RANKS_MEET;
        start(&world, 4, tuning, groups, base, 2);
        world.seconds = uneven;
        run(&world, 4000);
        run_to_choice(&world);
        assert_int_equal(current(&world), apart ? 0 : 1);
        assert_true(!apart || (double)world.calls_of[1] * 30e-3 < 0.1 * 4000 * 20e-3);
        struct star_spread spread = star_tuner_spread(leader(&world));
        assert_true(spread.mean == 0 || spread.counted == (apart ? spread.most : spread.mean));
        finish(&world);
    }
}

/* All that is measured and remembered goes by one rule. */
static void the_rule_is_one(void **state)
{
    (void)state;
    struct star_settings settings;
    star_settings_preset(&settings);
    settings.estimator = STAR_MIN_OF_MEAN;
    for (int ranks = STAR_RANKS_MEET; ranks <= STAR_RANKS_APART; ranks++) {
        struct star_tuning tuning = star_tuning_of(&settings, (enum star_ranks)ranks);
        assert_true(star_tuning_by_slowest(&tuning) == (ranks == STAR_RANKS_APART));
        tuning.estimator = STAR_MAX_OF_FILTERED_MEAN;
        assert_true(star_tuning_by_slowest(&tuning) == (ranks != STAR_RANKS_MEET));
    }
}

/* Candidates 3 and 4 are pipelines: their first call takes four times as long as the tenth one and those
 * behind it, and twice as long as native. Rank 0, which sends first, is done at once. */
static double filling(struct world *world, int candidate, int rank)
{
    int streak = calls_before(candidate, rank);
    bool pipeline = candidate == 3 || candidate == 4;
    return !pipeline   ? world->base[candidate]
           : rank == 0 ? 0.1e-3
                       : (1 + 3 / (1 + 0.5 * streak * streak)) * world->base[candidate];
}

/* A few calls of it take longer than native's. */
static void a_pipeline_that_fills_is_found(void **state)
{
    (void)state;
    static const double seconds[] = {4e-3, 6e-3, 5e-3, 2e-3, 2.1e-3, 5e-3, 8e-3};
    struct star_tuning tuning = racing(0.05);
    struct world world;
    tuning.ranks = STAR_RANKS_AHEAD;
    start(&world, 3, tuning, seven_groups, seconds, 7);
    world.seconds = filling;
    run(&world, 1000);
    run_to_choice(&world);
    assert_true(current(&world) == 3 || current(&world) == 4);
    finish(&world);
}

/* Else its later half would have taken less than any call did. */
static void what_held_up_a_half_counts_there_as_in_the_whole(void **state)
{
    (void)state;
    double samples[32];
    for (int i = 0; i < 32; i++)
        samples[i] = i == 2 || i == 5 || i == 11 ? 20 : 1;
    double all = star_usual_mean(samples, 32, 32, NULL), half = star_usual_mean(samples, 32, 16, NULL);
    assert_float_equal(32 * all - 16 * half, 16, 1e-9);
}

static double the_last_rank_twice_as_long(struct world *world, int candidate, int rank)
{
    return (rank == world->size - 1 ? 2 : 1) * world->base[candidate];
}

/* That one rank has more to do says nothing of the method. */
static void a_rank_that_is_always_slower_is_no_change(void **state)
{
    (void)state;
    struct world world;
    start(&world, 4, racing(0.05), seven_groups, seven_times, 7);
    world.seconds = the_last_rank_twice_as_long;
    for (int i = 0; i < 20000; i++) {
        step(&world);
        assert_int_not_equal(world.last.reason, STAR_OVERTAKEN);
        assert_int_not_equal(world.last.reason, STAR_DISTURBED);
    }
    assert_int_equal(current(&world), 5);
    finish(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_that_only_begins_fast_does_not_win),
        cmocka_unit_test(what_is_put_off_counts),
        cmocka_unit_test(samples_last_as_long_as_on_the_slowest_rank),
        cmocka_unit_test(agreements_are_few_where_calls_are_short),
        cmocka_unit_test(where_ranks_run_ahead_the_slowest_one_counts),
        cmocka_unit_test(of_a_request_the_slowest_rank_counts),
        cmocka_unit_test(the_rule_is_one),
        cmocka_unit_test(a_pipeline_that_fills_is_found),
        cmocka_unit_test(what_held_up_a_half_counts_there_as_in_the_whole),
        cmocka_unit_test(a_rank_that_is_always_slower_is_no_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
