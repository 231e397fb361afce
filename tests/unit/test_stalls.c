/* SPDX-License-Identifier: BSD-3-Clause
 * One call that lasts absurdly long, or no time at all, decides nothing: the machine slept, a process was
 * stopped, a clock stepped. */
#include "lockstep.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/stall.h"
#include "tuner/strategies.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/seconds.h"

#include <math.h>

enum { SIZE = 3, EVERY = -1, METHODS = 7, BEST = 5 };

static struct {
    long call;  /* the one that is disturbed, counted by WORLD.CALLS; or it and the next ones */
    int calls;  /* so many */
    int rank;   /* EVERY: on all */
    double add; /* seconds */
} fault;

static double disturbed(struct world *world, int candidate, int rank)
{
    bool hit = world->calls >= fault.call && world->calls < fault.call + fault.calls;
    return world->base[candidate] + (hit && (fault.rank == EVERY || fault.rank == rank) ? fault.add : 0);
}

static struct star_tuning tuning_of(enum star_strategy strategy)
{
    struct star_tuning tuning = usual(strategy);
    tuning.estimator = star_estimator_of(strategy, STAR_ESTIMATOR_AUTO);
    tuning.confirm = true;
    tuning.warmup = 1;
    return tuning;
}

/* The last call, of CALLS, at which another than the best method was chosen. */
static long until_settled(enum star_strategy strategy, long calls)
{
    struct world world;
    long last = 0;
    start(&world, SIZE, tuning_of(strategy), seven_groups, seven_times, METHODS);
    world.seconds = disturbed;
    for (long i = 0; i < calls; i++) {
        step(&world);
        if (stage(&world) == STAR_MONITOR && current(&world) != BEST)
            last = i;
    }
    for (int i = 0; i < METHODS; i++) {
        double seconds = star_tuner_estimate(leader(&world), i);
        assert_true(!star_is_known(seconds) || fabs(seconds - seven_times[i]) < 1e-9);
    }
    finish(&world);
    return last;
}

/* Wherever it falls, the best is found about as soon as without it, and nobody's estimate has it. */
static void expect_no_harm(enum star_strategy strategy, int rank, double add)
{
    enum { CALLS = 3000, FIRST = 200 };
    fault.calls = 0;
    long without = until_settled(strategy, CALLS), most = 0;
    assert_true(without < CALLS / 3);
    fault.calls = 1;
    fault.rank = rank;
    fault.add = add;
    for (fault.call = 0; fault.call < FIRST; fault.call += trials(1, 13))
        most = fmax(most, until_settled(strategy, CALLS));
    if (most > without + 70)
        fail_msg("strategy %d, rank %d, %g s: settled after %ld calls, undisturbed after %ld", strategy, rank,
                 add, most, without);
}

static void one_stall_decides_nothing_whenever_it_comes(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++)
        for (int rank = EVERY; rank < SIZE; rank += 2)
            expect_no_harm(strategy, rank, 5);
}

static void nor_does_a_clock_that_steps_by_an_hour(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++) {
        expect_no_harm(strategy, 1, 3600);
        expect_no_harm(strategy, EVERY, 3600);
    }
}

static void nor_does_one_that_steps_back(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++)
        for (int rank = EVERY; rank < SIZE; rank += 2)
            expect_no_harm(strategy, rank, -3600);
}

/* What it costs to find out: two calls, and one that is not counted. */
static void a_method_that_really_takes_so_long_is_believed_at_its_second_visit(void **state)
{
    (void)state;
    static const double base[] = {7e-3, 2, 6e-3, 5e-3, 3e-3, 2e-3, 8e-3};
    struct world world;
    fault.calls = 0;
    start(&world, SIZE, tuning_of(STAR_RACE), seven_groups, base, METHODS);
    world.seconds = disturbed;
    run(&world, 60000);
    run_to_choice(&world);
    assert_int_equal(current(&world), BEST);
    assert_int_equal(world.calls_of[1], 2);
    assert_true(fabs(star_tuner_estimate(leader(&world), 1) - 2) < 1e-9);
    finish(&world);
}

/* The calls until the best is selected, where the first agreement takes AGREEING seconds, and of PLANS that
 * are made after it one takes MAKING, all others next to nothing. */
static long until_selected(double agreeing, int plans, double making)
{
    static const double usual_seconds = 1e-6;
    struct world world;
    fault.calls = 0;
    start(&world, SIZE, tuning_of(STAR_RACE), seven_groups, seven_times, METHODS);
    world.seconds = disturbed;
    world.agreeing = agreeing;
    step(&world);
    run_to_decision(&world);
    world.agreeing = usual_seconds;
    for (int plan = 0; plan < plans; plan++)
        for (int r = 0; r < SIZE; r++)
            star_tuner_spend(world.ranks[r], plan == plans / 2 ? making : usual_seconds);
    while (world.last.reason != STAR_SELECTED && world.calls < 5000)
        step(&world);
    long calls = world.calls;
    assert_int_equal(current(&world), BEST);
    finish(&world);
    return calls;
}

/* What an agreement seems to take is a share of what exploring costs. */
static void an_agreement_that_stalls_does_not_end_exploring(void **state)
{
    (void)state;
    assert_true(until_selected(3600, 0, 0) <= until_selected(1e-6, 0, 0) + 10);
}

/* Nor does one of many: plans were made since the last agreement. */
static void one_of_many_occasions_that_stalls_does_not_end_exploring(void **state)
{
    (void)state;
    assert_true(until_selected(1e-6, 9, 3) <= until_selected(1e-6, 9, 1e-6) + 10);
}

/* Not for ever: what is slow again is not the method's rest. */
static void agreements_that_go_on_taking_so_long_are_paid_for(void **state)
{
    (void)state;
    struct world world;
    fault.calls = 0;
    start(&world, SIZE, tuning_of(STAR_RACE), seven_groups, seven_times, METHODS);
    world.seconds = disturbed;
    world.agreeing = 5;
    run(&world, 3000);
    assert_true(world.agreements < 20);
    finish(&world);
}

static void only_one_call_is_taken_for_a_stall(void **state)
{
    (void)state;
    double one[] = {1e-3, 7, 3e-3}, two[] = {1e-3, 7, 7, 3e-3}, back[] = {0, 1e-3, 3e-3}, alone[] = {7},
           none[] = {0, 0}, timeout[] = {1e-3, 0.4, 1e-3};
    star_samples_mend(one, 3);
    assert_true(fabs(one[1] - 2e-3) < 1e-12 && one[0] < 2e-3 && one[2] > 2e-3);
    star_samples_mend(two, 4);
    assert_true(two[1] > 6 && two[2] > 6);
    star_samples_mend(back, 3);
    assert_true(fabs(back[0] - 2e-3) < 1e-12);
    star_samples_mend(alone, 1);
    assert_true(alone[0] > 6);
    star_samples_mend(none, 2);
    assert_true(none[0] < 1e-12 && none[1] < 1e-12);
    star_samples_mend(timeout, 3); /* TCP's, which is the method's */
    assert_true(timeout[1] > 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stall_decides_nothing_whenever_it_comes),
        cmocka_unit_test(nor_does_a_clock_that_steps_by_an_hour),
        cmocka_unit_test(nor_does_one_that_steps_back),
        cmocka_unit_test(a_method_that_really_takes_so_long_is_believed_at_its_second_visit),
        cmocka_unit_test(an_agreement_that_stalls_does_not_end_exploring),
        cmocka_unit_test(one_of_many_occasions_that_stalls_does_not_end_exploring),
        cmocka_unit_test(agreements_that_go_on_taking_so_long_are_paid_for),
        cmocka_unit_test(only_one_call_is_taken_for_a_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
