/* SPDX-License-Identifier: BSD-3-Clause
 * The race: visits what may be faster, finds the fastest, and sees when that changes. */
#include "lockstep.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/prospect.h"
#include "util/seconds.h"

#include <math.h>

static void native_runs_first_and_the_fastest_last(void **state)
{
    (void)state;
    for (int best = 0; best < 7; best++) {
        struct world world;
        start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
        world.base[best] = 1e-3;
        world.leader = best % 3;
        for (int i = 0; i < 4; i++) { /* one that is not counted, and three */
            assert_int_equal(current(&world), 0);
            step(&world);
        }
        run(&world, 1000);
        assert_int_equal(current(&world), best);
        assert_int_equal(stage(&world), STAR_MONITOR);
        finish(&world);
    }
}

/* Candidate 0 is another method where operators are not commutative, and may need too much memory. */
static void the_fastest_is_found_though_the_first_cannot_be_run(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    world.unable[0] = true;
    run(&world, 2000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

/* Replacing native, or one method by another, must be worth it. */
static void of_ties_native_wins_else_any(void **state)
{
    (void)state;
    static const double ties[] = {7e-3, 6e-3, 2.01e-3, 4e-3, 3e-3, 2e-3, 8e-3},
                        with_native[] = {2.01e-3, 6e-3, 2.01e-3, 4e-3, 3e-3, 2e-3, 8e-3};
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, ties, 7);
    run(&world, 3000);
    run_to_choice(&world);
    long before = world.calls_of[2] + world.calls_of[5];
    run(&world, 20000);
    assert_true(world.calls_of[2] + world.calls_of[5] - before > 19000);
    finish(&world);
    start(&world, 2, racing(0.05), seven_groups, with_native, 7);
    run(&world, 3000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 0);
    finish(&world);
}

/* Where calls are long beside agreements, a first visit is a single call, and that counts; else one before it
 * warms up.
 */
static void where_calls_are_long_the_first_one_counts(void **state)
{
    (void)state;
    static const double slower[] = {1e-3, 1.5e-3, 1.5e-3, 1.5e-3, 1.5e-3, 1.5e-3, 1.5e-3};
    for (int calls = 1; calls <= 2; calls++) {
        struct world world;
        start(&world, 2, racing(0.05), seven_groups, slower, 7);
        world.agreeing = calls == 1 ? 0.2e-3 : 0.3e-3;
        int visited = 0;
        for (int visits = 0; visits < 2;
             visits++) { /* before the first one nobody knows what agreeing takes */
            for (int i = 0; i < 1000 && current(&world) == 0; i++)
                step(&world);
            visited = current(&world);
            assert_int_not_equal(visited, 0);
            for (int i = 0; i < 10 && current(&world) == visited; i++)
                step(&world);
        }
        assert_int_equal(world.calls_of[visited], calls);
        finish(&world);
    }
}

/* Where agreeing takes longer than a call of native, several that nobody knows are visited between two
 * agreements; but the budget bears what nobody knows of one of them alone. */
static void where_agreeing_takes_long_several_are_visited_at_once(void **state)
{
    (void)state;
    static const double slower[] = {1e-3, 4e-3, 4.2e-3, 3.8e-3, 4e-3, 4.1e-3, 3.9e-3};
    int most[2] = {0}; /* in one visit, of those that were not measured */
    for (int i = 0; i < 2; i++) {
        struct world world;
        bool measured[7] = {true};
        double spent = 0;
        start(&world, 2, racing(0.05), seven_groups, slower, 7);
        world.agreeing = i ? 1.2e-3 : 0.1e-3;
        for (int call = 0; call < 200000; call++) {
            int others = 0;
            for (int c = 0; stage(&world) == STAR_MEASURE && c < world.last.count; c++)
                others += !measured[world.last.list[c]];
            most[i] = others > most[i] ? others : most[i];
            measured[current(&world)] = true;
            spent += slower[current(&world)];
            step(&world);
            double all = spent + (double)world.agreements * world.agreeing,
                   allowed = (double)world.calls * slower[0] * 1.05;
            /* Before native is measured nobody knows what agreeing takes. */
            assert_true(all <= allowed + 2 * 3.2e-3 + 4 * world.agreeing + 1e-9);
        }
        for (int c = 0; c < 7; c++)
            assert_true(measured[c]);
        finish(&world);
    }
    assert_int_equal(most[0], 1);
    assert_in_range(most[1], 2, 4);
}

/* In so many calls after CHANGED begins to take SECONDS; how many of them are its own. */
static long expect_taken_over(int changed, double seconds, long calls, int by)
{
    struct world world;
    start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
    run(&world, 1000);
    assert_int_equal(current(&world), 5);
    world.base[changed] = seconds;
    long before = world.calls_of[changed];
    run(&world, calls);
    assert_int_equal(current(&world), by);
    long own = world.calls_of[changed] - before;
    finish(&world);
    return own;
}

static void another_takes_over_when_the_chosen_gets_slow(void **state)
{
    (void)state;
    assert_true(expect_taken_over(5, 2e-2, 4000, 4) < 1500);
}

/* The network has got better for one that had lost. */
static void who_fell_out_has_another_chance(void **state)
{
    (void)state;
    expect_taken_over(3, 1e-3, 60000, 3);
}

/* Nor is it believed, once the machine has changed, what the others take, who may be far slower now. */
static void what_others_took_before_a_change_pays_no_long_visit(void **state)
{
    (void)state;
    static const double times[] = {7e-3, 6e-3, 5e-3, 4e-3, 2.02e-3, 2e-3, 8e-3};
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, times, 7);
    run(&world, 30000);
    assert_true(current(&world) == 5 || current(&world) == 4);
    int chosen = current(&world), other = 9 - chosen;
    assert_true(world.calls_of[other] > 16);
    world.base[chosen] = 5.5e-3;
    world.base[other] = 80e-3;
    long before = world.calls_of[other];
    run(&world, 20000);
    assert_int_equal(current(&world), 3);
    assert_true(world.calls_of[other] - before <= 4);
    finish(&world);
}

/* Candidates 1, 2 and 4 are one method, 5 and 6 another one. */
static void of_those_that_are_the_same_one_is_measured(void **state)
{
    (void)state;
    static const int first[] = {0, 1, 1, 3, 1, 5, 5};
    static const double times[] = {7e-3, 5e-3, 5e-3, 6e-3, 5e-3, 2e-3, 2e-3};
    for (int told = 0; told < 2; told++) {
        struct world world;
        start(&world, 2, racing(0.05), seven_groups, times, 7);
        if (told)
            star_tuner_alike(leader(&world), first);
        run(&world, 20000);
        assert_true(times[current(&world)] < 3e-3);
        assert_int_equal(world.calls_of[1] > 0, true);
        assert_int_equal(world.calls_of[2] + world.calls_of[4] > 0, !told);
        assert_true(!told || world.calls_of[6] == 0);
        finish(&world);
    }
}

/* Told late, what was measured under one name counts for the others. */
static void it_may_be_told_late(void **state)
{
    (void)state;
    static const int first[] = {0, 1, 1, 1, 1, 1, 1};
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    while (world.calls_of[1] == 0)
        step(&world);
    bool had_a_turn[7];
    for (int i = 0; i < 7; i++)
        had_a_turn[i] = world.calls_of[i] > 0;
    for (int i = 0; i < world.last.count; i++)
        had_a_turn[world.last.list[i]] = true;
    star_tuner_alike(leader(&world), first);
    run(&world, 20000);
    int others = 0;
    for (int i = 1; i < 7; i++) {
        assert_int_equal(world.calls_of[i] > 0, had_a_turn[i]);
        others += !had_a_turn[i];
    }
    assert_true(others > 0);
    finish(&world);
}

/* Right, who is predicted to be best is the first to be visited, and the others are not worth it; wrong, the
 * fastest is found all the same. */
static void forecasts_are_tried_in_their_order_and_may_be_wrong(void **state)
{
    (void)state;
    struct star_prospect right[7], wrong[7];
    for (int i = 0; i < 7; i++) {
        right[i] = wrong[i] = STAR_NO_PROSPECT;
        right[i].seconds = i ? 0.3 * seven_times[i] : STAR_UNKNOWN_SECONDS;
        wrong[i].seconds = i ? 1e-6 / seven_times[i] : STAR_UNKNOWN_SECONDS;
    }
    struct world world;
    start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), right, NULL);
    run(&world, 500);
    assert_int_equal(current(&world), 5);
    assert_true(world.calls_of[5] > 480);
    assert_int_equal(world.calls_of[6], 0);
    finish(&world);
    start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), wrong, NULL);
    run(&world, 10000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

/* Slow enough to be worth nothing. */
static const double hopeless_times[] = {7e-3, 20e-3, 18e-3, 14e-3, 12e-3, 2e-3, 16e-3};

static int fastest_of_those_never_visited(const struct world *world)
{
    int fastest = -1;
    for (int i = 0; i < 7; i++)
        if (world->calls_of[i] == 0 && (fastest < 0 || hopeless_times[i] < hopeless_times[fastest]))
            fastest = i;
    return fastest;
}

/* Those that were not worth a visit have a chance after all: who is expected to be the fastest first. */
static void chances_go_by_what_is_expected(void **state)
{
    (void)state;
    struct star_prospect each[7];
    struct world world;
    int given = 0;
    for (int i = 0; i < 7; i++) {
        each[i] = STAR_NO_PROSPECT;
        each[i].seconds = i ? hopeless_times[i] : STAR_UNKNOWN_SECONDS;
    }
    start(&world, 3, racing(0.05), seven_groups, hopeless_times, 7);
    star_tuner_forecast(leader(&world), each, NULL);
    run(&world, 500);
    for (int next = fastest_of_those_never_visited(&world); next >= 0 && world.calls < 200000;) {
        step(&world);
        int now = fastest_of_those_never_visited(&world);
        assert_true(now == next || world.calls_of[next] > 0);
        given += now != next;
        next = now;
    }
    assert_true(given >= 3);
    finish(&world);
}

/* The model is wrong, and ties are looked at again and again meanwhile, which begins periods anew. */
static void ties_keep_nobody_from_a_chance(void **state)
{
    (void)state;
    enum { CALLS = 1000 };
    static const int groups[] = {0, 1, 2, 3, 4};
    static const double times[] = {1.485, 2.05, 1.487, 1.487, 1.1},
                        foreseen[] = {STAR_UNKNOWN_SECONDS, 1.34, 1.39, 1.39, 2.42};
    struct star_prospect each[5];
    struct world world;
    for (int i = 0; i < 5; i++) {
        each[i] = STAR_NO_PROSPECT;
        each[i].seconds = foreseen[i];
    }
    for (int i = 0; i < 2; i++) { /* and where periods do not get longer */
        struct star_tuning tuning = racing(0.05);
        if (i == 1)
            tuning.delta_most = tuning.delta;
        start(&world, 3, tuning, groups, times, 5);
        star_tuner_forecast(leader(&world), each, NULL);
        run(&world, CALLS);
        assert_int_equal(current(&world), 4);
        assert_true(world.calls_of[4] > CALLS / 2);
        finish(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_runs_first_and_the_fastest_last),
        cmocka_unit_test(the_fastest_is_found_though_the_first_cannot_be_run),
        cmocka_unit_test(of_ties_native_wins_else_any),
        cmocka_unit_test(where_calls_are_long_the_first_one_counts),
        cmocka_unit_test(where_agreeing_takes_long_several_are_visited_at_once),
        cmocka_unit_test(another_takes_over_when_the_chosen_gets_slow),
        cmocka_unit_test(who_fell_out_has_another_chance),
        cmocka_unit_test(chances_go_by_what_is_expected),
        cmocka_unit_test(ties_keep_nobody_from_a_chance),
        cmocka_unit_test(what_others_took_before_a_change_pays_no_long_visit),
        cmocka_unit_test(of_those_that_are_the_same_one_is_measured),
        cmocka_unit_test(it_may_be_told_late),
        cmocka_unit_test(forecasts_are_tried_in_their_order_and_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
