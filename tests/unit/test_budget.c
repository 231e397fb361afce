/* SPDX-License-Identifier: BSD-3-Clause
 * What the race may cost: its budget, and how often it agrees. */
#include "lockstep.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/sample.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/prospect.h"

#include <math.h>

static void nothing_is_tried_without_a_budget(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0), seven_groups, seven_times, 7);
    run(&world, 5000);
    assert_int_equal(world.calls_of[0], 5000);
    finish(&world);
}

/* At no time may all calls have cost more than the budget over native alone, and one visit. */
static void the_budget_is_kept_at_every_call(void **state)
{
    (void)state;
    uint64_t seed = 99;
    for (int trial = 0; trial < trials(60, 10); trial++) {
        struct world world;
        int groups[CANDIDATES], count = 2 + (int)random_below(&seed, DRAWN_MOST - 1);
        double base[CANDIDATES], budget = (double)(1 + random_below(&seed, 20)) / 100, slowest = 0, spent = 0;
        for (int i = 0; i < count; i++) {
            groups[i] = i ? 1 + (int)random_below(&seed, 6) : 0;
            base[i] = 1e-3 * (i ? 0.7 + (double)random_below(&seed, 500) / 100 : 1);
            slowest = fmax(slowest, base[i]);
        }
        start(&world, 2, racing(budget), groups, base, count);
        for (int i = 0; i < 4000; i++) {
            spent += base[current(&world)];
            step(&world);
            /* Of calls of a millisecond the first visits are one call long. */
            double visit = slowest - base[0], allowed = (double)world.calls * base[0] * (1 + budget);
            assert_true(spent <= allowed + visit + 1e-9);
        }
        finish(&world);
    }
}

/* Where ranks run ahead: the slowest one takes what the method takes, the other half of it. */
static double half_of_it(struct world *world, int candidate, int rank)
{
    return world->base[candidate] * (rank == 0 && candidate != 0 ? 0.5 : 1);
}

/* After a first call in which ranks were apart, later ones are expected to be faster. That is to be seen in
 * visits that are paid, before such a method runs for long. */
static void the_budget_is_kept_where_ranks_run_ahead(void **state)
{
    (void)state;
    static const double base[7] = {1e-3, 1.3e-3, 1.3e-3, 1.35e-3, 1.4e-3, 1.4e-3, 1.5e-3};
    struct star_tuning tuning = racing(0.05);
    struct world world;
    double spent = 0;
    tuning.ranks = STAR_RANKS_AHEAD;
    start(&world, 2, tuning, seven_groups, base, 7);
    world.seconds = half_of_it;
    for (int i = 0; i < 20000; i++) {
        /* Each visit is twice as long as the one before it, and that of which nobody knows is one call. */
        spent += base[current(&world)] - base[0];
        step(&world);
        assert_true(spent <= 0.05 * (double)world.calls * base[0] + base[6] - base[0] + 1e-9);
    }
    assert_true(world.calls_of[0] < world.calls - 7);
    finish(&world);
}

/* While it waits, native is looked at now and then: that must not cost more than the wait brings. */
static void waiting_costs_less_than_it_brings(void **state)
{
    (void)state;
    static const double base[7] = {1e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3};
    for (int part = 10; part <= 1000; part *= 10) {
        struct world world;
        double budget = 1.0 / part, spent = 0;
        start(&world, 2, racing(budget), seven_groups, base, 7);
        world.agreeing = 5e-3;
        for (int i = 0; i < 20000; i++) {
            spent += world.base[current(&world)] - world.base[0];
            step(&world);
            double all = spent + (double)world.agreements * world.agreeing,
                   allowed = budget * (double)world.calls * world.base[0];
            assert_true(all <= allowed + 2e-3 + 4 * world.agreeing + 1e-9);
        }
        finish(&world);
    }
}

/* Agreeing counts as calls do, and the fastest is found all the same. */
static void the_budget_pays_agreements_too(void **state)
{
    (void)state;
    for (int times = 1; times <= 100; times *= 10) {
        struct world world;
        start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
        world.agreeing = times * 1e-3;
        double spent = 0;
        for (int i = 0; i < 200000 && current(&world) != 5; i++) {
            spent += world.base[current(&world)];
            step(&world);
            double allowed = (double)world.calls * world.base[0] * 1.05, visit = 2 * 1e-3,
                   all = spent + (double)world.agreements * world.agreeing;
            /* Before native is measured nobody knows what agreeing costs: the first visit's are not paid for.
             */
            assert_true(all <= allowed + visit + 4 * world.agreeing + 1e-9);
        }
        assert_int_equal(current(&world), 5);
        run(&world, 20000);
        assert_int_equal(current(&world), 5);
        /* From now on asking takes a hundredth, and another chance for others, now and then, another one. */
        long before = world.agreements, calls = world.calls;
        run(&world, 100000);
        assert_true((double)(world.agreements - before) * world.agreeing <=
                    0.02 * (double)(world.calls - calls) * world.base[5]);
        finish(&world);
    }
}

/* While it waits for its budget, one call in 16 is timed where they are short: it need not wait 16 times as
 * long. */
static void short_calls_are_found_as_soon(void **state)
{
    (void)state;
    static const double brief[] = {5e-6, 8e-6, 9e-6, 7e-6, 8e-6, 6e-6, 9e-6};
    long waited[2];
    for (int i = 0; i < 2; i++) {
        struct star_tuning tuning = racing(0.05);
        tuning.sample = i ? 16 : 1;
        struct world world;
        start(&world, 2, tuning, seven_groups, brief, 7);
        waited[i] = 0;
        while (world.last.reason != STAR_SELECTED) {
            int stride = star_tuner_stride(world.ranks[0]);
            waited[i] += stride * run_to_decision(&world);
            assert_true(world.calls < 1000000);
        }
        finish(&world);
    }
    assert_true(waited[1] < 3 * waited[0]);
}

/* Else a program whose first calls are slow would be told that all others saved it that time, and more could
 * be spent than there is. */
static void native_is_measured_anew_and_seldom(void **state)
{
    (void)state;
    struct world world;
    int count;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    world.base[0] = 14e-3;
    run(&world, 10);
    world.base[0] = 7e-3;
    run(&world, 6000);
    assert_int_equal(current(&world), 5);
    const double *samples = star_tuner_samples(leader(&world), 0, &count);
    assert_true(fabs(star_filtered_mean(samples, count) - 7e-3) < 1e-4);
    assert_true(star_tuner_estimate(leader(&world), 0) < 1.25 * 7e-3); /* what the budget is a share of */
    assert_true(world.calls_of[0] < 20);
    finish(&world);
}

/* Who is hardly faster than native seems to be saves nothing that would pay for others: native runs, until it
 * is known what it takes. */
static void where_the_best_pays_nothing_native_runs(void **state)
{
    (void)state;
    long longest = 0;
    for (int slow = 30; slow <= 90; slow += 10) {
        double base[] = {20e-3, 18.7e-3, slow * 1e-3, slow * 1e-3, 9e-3, slow * 1e-3, slow * 1e-3};
        struct world world;
        start(&world, 2, racing(0.05), seven_groups, base, 7);
        while (current(&world) != 4 && world.calls < 5000)
            step(&world);
        longest = world.calls > longest ? world.calls : longest;
        finish(&world);
    }
    assert_true(longest < 200);
}

/* Once native takes half as long, it does not follow that it always did. */
static void what_was_saved_before_a_change_stays_saved(void **state)
{
    (void)state;
    static const double before[] = {10e-3, 9e-3, 12e-3, 13e-3, 11e-3, 12e-3, 13e-3},
                        after[] = {5e-3, 4.5e-3, 6e-3, 6.5e-3, 3e-3, 6e-3, 6.5e-3};
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, before, 7);
    run(&world, 200000);
    assert_int_equal(current(&world), 1);
    memcpy(world.base, after, sizeof after);
    long begin = world.calls;
    while (current(&world) != 4 || world.last.reason != STAR_SELECTED) {
        step(&world);
        assert_true(world.calls - begin < 300000);
    }
    finish(&world);
}

/* What its first calls took, or an earlier run's, may be far off. */
static void native_that_was_thought_slow_is_found(void **state)
{
    (void)state;
    static const double base[] = {10e-3, 5e-3, 6e-3};
    for (int remembered = 0; remembered < 2; remembered++) {
        const struct star_recollection known[] = {
            {.candidate = 0, .count = 100, .mean = 10e-3, .deviation = 1e-4},
            {.candidate = 1, .count = 100, .mean = 5e-3, .deviation = 1e-4}};
        struct world world;
        start(&world, 2, racing(0.05), seven_groups, base, 3);
        for (int r = 0; r < 2 && remembered; r++)
            assert_true(star_tuner_recall(world.ranks[r], known, 2, 1));
        run(&world, remembered ? 0 : 4);
        world.base[0] = 1e-3;
        while (world.calls_of[0] < 20 && world.calls < 1000)
            step(&world);
        assert_true(world.calls < 400);
        finish(&world);
    }
}

/* Where native's calls take no time from some call on, it is not looked at again and again. */
static void native_that_takes_no_time_is_measured_seldom(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    run(&world, 100);
    world.base[0] = 0;
    long before = world.calls_of[0];
    run(&world, 60000);
    assert_true(world.calls_of[0] - before < 1000);
    finish(&world);
}

/* Where one call of many is timed, an agreement still comes so late that it takes little of the time. */
static void short_calls_are_agreed_on_seldom(void **state)
{
    (void)state;
    struct star_tuning tuning = racing(0.05);
    struct world world;
    double base[7];
    for (int i = 0; i < 7; i++)
        base[i] = 1e-3 * seven_times[i];
    tuning.sample = 16;
    start(&world, 3, tuning, seven_groups, base, 7);
    world.agreeing = 30e-6;
    run(&world, 300000);
    assert_int_equal(current(&world), 5);
    long before = world.agreements, calls = world.calls;
    run(&world, 300000);
    /* A hundredth, and as much for giving others a chance. Those that are not timed are not among the calls
     * here. */
    assert_true((double)(world.agreements - before) * world.agreeing <
                0.02 * (double)(world.calls - calls) * tuning.sample * base[5]);
    finish(&world);
}

static void what_predicting_took_is_paid_by_the_budget(void **state)
{
    (void)state;
    struct star_prospect forecast[7];
    for (int i = 0; i < 7; i++)
        forecast[i] = STAR_NO_PROSPECT;
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), forecast, NULL);
    star_tuner_spend_once(leader(&world), 0.1); /* as much as 286 calls of native's may cost */
    run(&world, 280);
    assert_int_equal(world.calls_of[0], 280);
    run(&world, 1000);
    assert_true(world.calls_of[0] < 400);
    finish(&world);
}

struct oracle {
    struct world *world;
    int asked;
    double takes, credit, most; /* seconds of answering; the patience at first, and then at most */
};

static void answer(void *whom)
{
    struct oracle *oracle = whom;
    double patience = star_tuner_patience(leader(oracle->world), true);
    if (oracle->asked++ == 0) {
        oracle->credit = patience;
        star_tuner_spend_once(leader(oracle->world), oracle->takes);
    } else {
        double share = patience / ((double)oracle->world->calls * oracle->world->base[0]);
        oracle->most = fmax(oracle->most, share);
    }
}

/* Who is asked first may take as long as a call of native, and the first visit follows all the same; but then
 * the budget pays both. */
static void who_is_asked_before_the_first_visit_has_credit(void **state)
{
    (void)state;
    const double base[7] = {1, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
    struct world paid;
    struct oracle quick = {.world = &paid, .takes = 0.01};
    start(&paid, 2, racing(0.05), seven_groups, base, 7);
    for (int rank = 0; rank < 2; rank++)
        star_tuner_spend(paid.ranks[rank], 0.1);
    star_tuner_consult(leader(&paid), answer, &quick);
    run(&paid, 5); /* what the budget pays is no credit */
    assert_int_equal(paid.calls_of[0], 5);
    finish(&paid);
    for (int asks = 0; asks < 2; asks++) {
        struct world world;
        struct oracle oracle = {.world = &world, .takes = 0.9};
        start(&world, 2, racing(0.05), seven_groups, base, 7);
        for (int rank = 0; rank < 2; rank++) /* as an agreement took before: the visit takes more of them */
            star_tuner_spend(world.ranks[rank], 0.1);
        if (asks)
            star_tuner_consult(leader(&world), answer, &oracle);
        else
            star_tuner_spend_once(leader(&world), oracle.takes);
        run(&world, 5);
        assert_int_equal(world.calls_of[0], asks ? 4 : 5);
        run(&world, 15);
        assert_int_equal(world.calls_of[0], asks ? 19 : 20);
        run(&world, 2000);
        assert_true(world.calls_of[0] < world.calls - 1);
        if (asks) {
            assert_true(oracle.asked > 2 && fabs(oracle.credit - 1) < 0.01);
            assert_true(oracle.most > 0 && oracle.most < 0.04);
        }
        finish(&world);
    }
}

/* A method's first call makes connections; and that is one which is not counted. */
static double dear_at_first(struct world *world, int candidate, int rank)
{
    static int before;
    bool changes = world->calls == 0 || candidate != before;
    if (rank == world->size - 1)
        before = candidate;
    return world->base[candidate] + (changes && candidate != 0 ? world->changing : 0);
}

static void calls_that_are_not_counted_are_paid_too(void **state)
{
    (void)state;
    int groups[30];
    double base[30];
    for (int i = 0; i < 30; i++) {
        groups[i] = i;
        base[i] = 20e-6 * (i == 0 ? 1 : 1.1 + 0.02 * i);
    }
    for (int times = 1; times <= 10; times *= 10) {
        struct world world;
        double spent = 0;
        int before = 0;
        start(&world, 2, racing(0.05), groups, base, 30);
        world.changing = 1e-4 * times;
        world.agreeing = 8e-6;
        world.seconds = dear_at_first;
        while (world.calls < 50000) {
            int now = current(&world);
            spent += base[now] - base[0] + (now != before && now != 0 ? world.changing : 0);
            before = now;
            step(&world);
            double all = spent + (double)world.agreements * world.agreeing,
                   visit = 2 * world.changing + 4 * (base[29] + world.agreeing);
            assert_true(all <= 0.05 * (double)world.calls * base[0] + visit);
        }
        finish(&world);
    }
}

/* Who comes late to an agreement would be late in the next call too. */
static void waiting_for_a_late_rank_is_no_price_of_tuning(void **state)
{
    (void)state;
    struct world waits, even, pays;
    struct world *const worlds[] = {&waits, &even, &pays};
    for (int i = 0; i < 3; i++) {
        start(worlds[i], 2, racing(0.05), seven_groups, seven_times, 7);
        worlds[i]->agreeing = 1e-4;
    }
    waits.waiting = 0.05;
    pays.agreeing += waits.waiting;
    for (int i = 0; i < 3; i++)
        run(worlds[i], 300);
    assert_memory_equal(waits.calls_of, even.calls_of, sizeof even.calls_of);
    assert_true(waits.agreements > pays.agreements);
    /* What was waited in the last agreement is told at the next one. */
    double waited = waits.waiting * (double)(waits.agreements - 1);
    assert_true(waited > 0 && fabs(star_tuner_waited(waits.ranks[0]) - waited) < 1e-9);
    assert_true(star_tuner_waited(waits.ranks[1]) < 1e-9);
    for (int r = 0; r < 2; r++)
        assert_true(star_tuner_waited(pays.ranks[r]) < 1e-9);
    for (int i = 0; i < 3; i++)
        finish(worlds[i]);
}

static void a_long_program_agrees_seldom(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    run(&world, 20000);
    long before = world.agreements;
    run(&world, 100000);
    /* Periods are 2048 calls long, and others have another chance after each. */
    assert_true(world.agreements - before < 2 * 100000 / 2048 + 10);
    finish(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_tried_without_a_budget),
        cmocka_unit_test(the_budget_is_kept_at_every_call),
        cmocka_unit_test(the_budget_is_kept_where_ranks_run_ahead),
        cmocka_unit_test(waiting_costs_less_than_it_brings),
        cmocka_unit_test(the_budget_pays_agreements_too),
        cmocka_unit_test(short_calls_are_found_as_soon),
        cmocka_unit_test(native_is_measured_anew_and_seldom),
        cmocka_unit_test(native_that_was_thought_slow_is_found),
        cmocka_unit_test(where_the_best_pays_nothing_native_runs),
        cmocka_unit_test(what_was_saved_before_a_change_stays_saved),
        cmocka_unit_test(native_that_takes_no_time_is_measured_seldom),
        cmocka_unit_test(short_calls_are_agreed_on_seldom),
        cmocka_unit_test(what_predicting_took_is_paid_by_the_budget),
        cmocka_unit_test(who_is_asked_before_the_first_visit_has_credit),
        cmocka_unit_test(calls_that_are_not_counted_are_paid_too),
        cmocka_unit_test(waiting_for_a_late_rank_is_no_price_of_tuning),
        cmocka_unit_test(a_long_program_agrees_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
