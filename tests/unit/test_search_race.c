/* SPDX-License-Identifier: BSD-3-Clause
 * Who runs in a race, how often, and who is out when. */
#include "search/race.h"
#include "search/times.h"
#include "util/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct star_race_rules pruned = {
    .prune = true, .samples_most = 30, .precision = 0.05, .seconds = INFINITY};
static const struct star_race_rules exhaustive = {.samples_most = 30, .precision = 0.05, .seconds = INFINITY};

enum { RACERS = 12 };

/* Runs RACE until it is over: racer i takes SECONDS[i], up to SPREAD more or less. Returns how often racer 0
 * … ran. */
static void run_all(struct star_race *race, const double *seconds, double spread, int *ran)
{
    int order[RACERS * STAR_RACE_ROUNDS], runs;
    double took[RACERS * STAR_RACE_ROUNDS];
    uint64_t random = 3;
    for (int i = 0; i < race->racers; i++)
        ran[i] = 0;
    while ((runs = star_race_next(race, order)) > 0) {
        double spent = 0;
        for (int i = 0; i < runs; i++) {
            took[i] = seconds[order[i]] * (1 + spread * (2 * star_draw_share(&random) - 1));
            spent += took[i];
            ran[order[i]]++;
        }
        star_race_take(race, order, runs, took, spent);
    }
}

static void begin(struct star_race *race, const struct star_race_rules *rules, int racers)
{
    assert_int_equal(star_race_begin(race, rules, racers, 1), 0);
}

static void ten_times_slower_runs_once(void **state)
{
    const double seconds[] = {1, 10.5, 1.01, 100};
    int ran[4];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 4);
    run_all(&race, seconds, 0, ran);
    assert_int_equal(ran[1], 1);
    assert_int_equal(ran[3], 1);
    assert_true(race.racer[1].out && race.racer[1].count == 0 && race.racer[1].cold == 10.5);
    assert_false(race.racer[0].out);
    star_race_end(&race);
}

/* A run of less than the time for which the processor may be taken away says nothing alone; the next one
 * does. */
static void a_short_cold_run_puts_nobody_out(void **state)
{
    int order[2 * STAR_RACE_ROUNDS];
    struct star_race race;
    struct star_race_rules busy = pruned;
    (void)state;
    busy.disturbance = 0.01;
    begin(&race, &busy, 2);
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){1e-5, 9e-3}, 0.01);
    assert_false(race.racer[order[1]].out);
    int late = order[1];
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){1e-5, 1e-5}, 0.01);
    assert_false(race.racer[late].out);
    star_race_end(&race);
    begin(&race, &busy, 2);
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){1e-5, 11e-3}, 0.01);
    assert_true(race.racer[order[1]].out);
    star_race_end(&race);
}

static void the_slower_the_sooner_it_is_out(void **state)
{
    const double seconds[] = {1, 9, 2.5, 1.7};
    const int most[] = {30, 2, 3, 4};
    int ran[4];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 4);
    run_all(&race, seconds, 0, ran);
    for (int i = 1; i < 4; i++) {
        assert_true(race.racer[i].out);
        assert_in_range(ran[i], 1, most[i]);
    }
    star_race_end(&race);
}

/* 7 % apart and 2 % of noise: few runs do not show it, but the rank-sum test does. */
static void a_small_difference_is_found(void **state)
{
    const double seconds[] = {1.07, 1, 1.07};
    int ran[3];
    struct star_race race;
    struct star_race_rules precise = pruned;
    (void)state;
    precise.precision = 0.005;
    begin(&race, &precise, 3);
    run_all(&race, seconds, 0.02, ran);
    assert_true(race.racer[0].out && !race.racer[1].out && race.racer[2].out);
    star_race_end(&race);
}

static void of_many_alike_two_are_measured_well(void **state)
{
    double seconds[RACERS];
    int ran[RACERS], in = 0, runs = 0;
    struct star_race race;
    (void)state;
    for (int i = 0; i < RACERS; i++)
        seconds[i] = 1;
    begin(&race, &pruned, RACERS);
    run_all(&race, seconds, 0.2, ran);
    for (int i = 0; i < RACERS; i++) {
        in += !race.racer[i].out;
        runs += ran[i];
        assert_true(race.racer[i].count >= 3);
    }
    assert_int_equal(in, 2);
    assert_in_range(runs, 1, RACERS * 4 + 8 * 3 + 2 * 30);
    star_race_end(&race);
}

static void an_exhaustive_race_runs_all_until_they_are_known(void **state)
{
    const double seconds[] = {1, 50, 3};
    int ran[3];
    struct star_race race;
    (void)state;
    begin(&race, &exhaustive, 3);
    run_all(&race, seconds, 0.01, ran);
    for (int i = 0; i < 3; i++) {
        assert_false(race.racer[i].out);
        assert_in_range(race.racer[i].count, STAR_TIMES_LEAST, 8);
        assert_int_equal(ran[i], race.racer[i].count + 1); /* the cold one */
    }
    run_all(&race, seconds, 0.01, ran);
    assert_int_equal(ran[0], 0);
    star_race_end(&race);
    begin(&race, &exhaustive, 3);
    run_all(&race, seconds, 0.9, ran); /* so noisy that the interval never gets narrow */
    assert_in_range(race.racer[1].count, 30, 32);
    star_race_end(&race);
}

static void the_cold_run_does_not_count(void **state)
{
    int order[2 * STAR_RACE_ROUNDS];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 2);
    assert_int_equal(star_race_next(&race, order), 2);
    star_race_take(&race, order, 2, (const double[]){5, 5}, 10);
    assert_int_equal(race.racer[0].count, 0);
    assert_int_equal(star_race_next(&race, order), 2);
    star_race_take(&race, order, 2, (const double[]){1, 1}, 2);
    assert_true(race.racer[0].count == 1 && race.racer[0].times[0] == 1);
    star_race_end(&race);
}

static void a_disturbed_run_does_not_count(void **state)
{
    int order[2 * STAR_RACE_ROUNDS];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 2);
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){1, 1}, 2);
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){INFINITY, 1}, 2);
    assert_int_equal(race.racer[order[0]].count, 0);
    assert_int_equal(race.racer[order[1]].count, 1);
    assert_false(race.racer[order[0]].out);
    star_race_end(&race);
}

/* The first racer's runs are disturbed up to so many; returns how often it ran. */
static int run_disturbed(struct star_race *race, int disturbed)
{
    int order[2 * STAR_RACE_ROUNDS], runs, ran = 0;
    double took[2 * STAR_RACE_ROUNDS];
    while ((runs = star_race_next(race, order)) > 0) {
        for (int i = 0; i < runs; i++)
            took[i] = order[i] == 0 && ran++ < disturbed ? INFINITY : 1;
        star_race_take(race, order, runs, took, runs);
    }
    return ran;
}

static void disturbed_from_the_first_run_on_is_not_out_but_for_ever_is(void **state)
{
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 2);
    run_disturbed(&race, 3);
    assert_true(!race.racer[0].out && race.racer[0].count >= STAR_TIMES_LEAST);
    star_race_end(&race);
    begin(&race, &pruned, 2);
    assert_in_range(run_disturbed(&race, 1000), 5, 40);
    assert_true(race.racer[0].out && race.racer[0].count == 0);
    star_race_end(&race);
}

static void a_wrong_result_puts_out(void **state)
{
    int order[2 * STAR_RACE_ROUNDS];
    struct star_race race;
    (void)state;
    begin(&race, &exhaustive, 2);
    star_race_next(&race, order);
    star_race_take(&race, order, 2, (const double[]){NAN, 1}, 2);
    assert_true(race.racer[order[0]].out && race.racer[order[0]].wrong);
    int wrong = order[0], runs = star_race_next(&race, order);
    for (int i = 0; i < runs; i++)
        assert_int_not_equal(order[i], wrong);
    star_race_end(&race);
}

static void the_budget_ends_it(void **state)
{
    const double seconds[] = {1, 1, 1};
    int ran[3];
    struct star_race race;
    struct star_race_rules poor = exhaustive;
    (void)state;
    poor.seconds = 7;
    begin(&race, &poor, 3);
    run_all(&race, seconds, 0.5, ran);
    assert_in_range(ran[0] + ran[1] + ran[2], 7, 9);
    star_race_end(&race);
}

static void little_hope_makes_the_first_run_decide(void **state)
{
    const double seconds[] = {1, 5, 5};
    int ran[3];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 3);
    race.racer[1].hope = 1.9;
    run_all(&race, seconds, 0, ran);
    assert_int_equal(ran[1], 1);
    assert_int_equal(ran[2], 2);
    star_race_end(&race);
}

/* Who is compared with others at the end has an interval, though it is slower. */
static void native_is_kept(void **state)
{
    const double seconds[] = {2, 1};
    int ran[2];
    struct star_race race;
    (void)state;
    begin(&race, &pruned, 2);
    race.racer[0].keep = true;
    run_all(&race, seconds, 0.01, ran);
    assert_true(race.racer[0].count >= STAR_TIMES_LEAST && race.racer[0].out);
    star_race_end(&race);
}

static void each_runs_once_in_a_round_in_an_order_that_changes(void **state)
{
    int order[RACERS * STAR_RACE_ROUNDS], firsts[RACERS] = {0}, different = 0;
    double took[RACERS * STAR_RACE_ROUNDS];
    struct star_race race;
    (void)state;
    begin(&race, &exhaustive, RACERS);
    for (int look = 0; look < 12; look++) {
        int runs = star_race_next(&race, order);
        assert_int_equal(runs % RACERS, 0);
        for (int *at = order; at < order + runs; at += RACERS) {
            bool seen[RACERS] = {false};
            for (int i = 0; i < RACERS; i++) {
                assert_false(seen[at[i]]);
                seen[at[i]] = true;
            }
            firsts[at[0]]++;
        }
        for (int i = 0; i < runs; i++)
            took[i] = 1 + look % 2;
        star_race_take(&race, order, runs, took, 1);
    }
    for (int i = 0; i < RACERS; i++)
        different += firsts[i] > 0;
    assert_true(different >= RACERS / 2);
    star_race_end(&race);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_times_slower_runs_once),
        cmocka_unit_test(a_short_cold_run_puts_nobody_out),
        cmocka_unit_test(the_slower_the_sooner_it_is_out),
        cmocka_unit_test(a_small_difference_is_found),
        cmocka_unit_test(of_many_alike_two_are_measured_well),
        cmocka_unit_test(an_exhaustive_race_runs_all_until_they_are_known),
        cmocka_unit_test(the_cold_run_does_not_count),
        cmocka_unit_test(a_disturbed_run_does_not_count),
        cmocka_unit_test(disturbed_from_the_first_run_on_is_not_out_but_for_ever_is),
        cmocka_unit_test(a_wrong_result_puts_out),
        cmocka_unit_test(the_budget_ends_it),
        cmocka_unit_test(little_hope_makes_the_first_run_decide),
        cmocka_unit_test(native_is_kept),
        cmocka_unit_test(each_runs_once_in_a_round_in_an_order_that_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
