/* SPDX-License-Identifier: BSD-3-Clause
 * The race: finds the fastest, within its budget. */
#include "lockstep.h"

#include <math.h>
#include <stdlib.h>

static struct star_tuning racing(double budget)
{
    struct star_tuning tuning = usual(STAR_RACE);
    tuning.estimator = STAR_ESTIMATOR_AUTO;
    tuning.warmup = 1;
    tuning.confirm = true;
    tuning.budget = budget;
    return tuning;
}

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
        stop(&world);
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
    stop(&world);
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
    stop(&world);
    start(&world, 2, racing(0.05), seven_groups, with_native, 7);
    run(&world, 3000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 0);
    stop(&world);
}

static void nothing_is_tried_without_a_budget(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, racing(0), seven_groups, seven_times, 7);
    run(&world, 5000);
    assert_int_equal(world.calls_of[0], 5000);
    stop(&world);
}

/* At no time may all calls have cost more than the budget over native alone, and one visit. */
static void the_budget_is_kept_at_every_call(void **state)
{
    (void)state;
    uint64_t seed = 99;
    for (int trial = 0; trial < 60; trial++) {
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
        stop(&world);
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
        stop(&world);
    }
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
        stop(&world);
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
        stop(&world);
    }
    assert_int_equal(most[0], 1);
    assert_in_range(most[1], 2, 4);
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
        stop(&world);
    }
    assert_true(waited[1] < 3 * waited[0]);
}

static double streak_seconds(struct world *world, int candidate, int rank)
{
    static int last, streak;
    if (rank == 0) {
        streak = candidate == last ? streak + 1 : 0;
        last = candidate;
    }
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    for (int ahead = 0; ahead < 2; ahead++) {
        struct star_tuning tuning = racing(0.05);
        struct world world;
        int count;
        tuning.ahead = ahead;
        start(&world, 3, tuning, seven_groups, seven_times, 7);
        world.seconds = to_a_root;
        run(&world, 3000);
        const double *samples = star_tuner_samples(leader(&world), 3, &count);
        assert_true(count > 0 && fabs(samples[0] - (ahead ? 5e-3 : 5.2e-3 / 3)) < 1e-9);
        stop(&world);
    }
}

/* In the mean over ranks it seems to be the fastest. */
static void where_ranks_run_ahead_the_slowest_one_counts(void **state)
{
    (void)state;
    struct star_tuning tuning = racing(0.05);
    tuning.ahead = true;
    expect_not_taken_in(tuning, to_a_root);
    expect_not_taken_in(tuning, to_a_root_at_last);
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
    stop(&world);
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
    stop(&world);
}

/* Right, who is predicted to be best is the first to be visited, and the others are not worth it; wrong, the
 * fastest is found all the same. */
static void forecasts_are_tried_in_their_order_and_may_be_wrong(void **state)
{
    (void)state;
    double right[7], wrong[7];
    for (int i = 0; i < 7; i++) {
        right[i] = i ? 0.3 * seven_times[i] : NAN;
        wrong[i] = i ? 1e-6 / seven_times[i] : NAN;
    }
    struct world world;
    start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), right);
    run(&world, 500);
    assert_int_equal(current(&world), 5);
    assert_true(world.calls_of[5] > 480);
    assert_int_equal(world.calls_of[6], 0);
    stop(&world);
    start(&world, 3, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), wrong);
    run(&world, 10000);
    run_to_choice(&world);
    assert_int_equal(current(&world), 5);
    stop(&world);
}

static void what_predicting_took_is_paid_by_the_budget(void **state)
{
    (void)state;
    const double forecast[7] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    struct world world;
    start(&world, 2, racing(0.05), seven_groups, seven_times, 7);
    star_tuner_forecast(leader(&world), forecast);
    star_tuner_spend_once(leader(&world), 0.1); /* as much as 286 calls of native's may cost */
    run(&world, 280);
    assert_int_equal(world.calls_of[0], 280);
    run(&world, 1000);
    assert_true(world.calls_of[0] < 400);
    stop(&world);
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
    for (int i = 0; i < 3; i++)
        stop(worlds[i]);
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
    stop(&world);
}

static double noisy(struct world *world, int candidate, int rank)
{
    static double factor;
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < 12; i++)
            sum += (double)random_below(&world->seed, 1000000) / 1e6;
        factor = fmax(0.7, 1 + 0.06 * (sum - 6)); /* 6 % */
        if (random_below(&world->seed, 100) < 3)
            factor *= 2 + (double)random_below(&world->seed, 8); /* 3 % of the calls are disturbed */
    }
    return world->base[candidate] * factor;
}

struct outcome {
    double regret, chosen; /* over the best */
};

/* What the attributes of made-up methods say of their times: nothing, or all but a tenth. */
enum kind { ANYHOW, BY_ATTRIBUTES };

/* A grid of attributes with two, three and up to six values. */
static void fill_traits(int16_t *values, double *base, int count, enum kind kind, uint64_t *seed)
{
    static const int sizes[] = {2, 3, 6};
    double factor[3][6];
    for (int a = 0; a < 3; a++)
        for (int value = 0; value < sizes[a]; value++)
            factor[a][value] = exp((double)random_below(seed, 1000) / 1000 * log(6) / 3);
    for (int i = 0; i < count; i++) {
        double time = 1e-3 * (1 + (double)random_below(seed, 100) / 1000);
        for (int a = 0, rest = i - 1; a < 3; rest /= sizes[a++]) {
            values[i * 3 + a] = (int16_t)(i == 0 ? -1 : rest % sizes[a]);
            time *= i == 0 ? 1.5 : factor[a][rest % sizes[a]];
        }
        base[i] = kind == BY_ATTRIBUTES ? time : base[i];
    }
}

static struct outcome simulate(struct star_tuning tuning, enum kind kind, uint64_t seed, int calls)
{
    struct world world;
    int groups[CANDIDATES], count = 8 + (int)random_below(&seed, DRAWN_MOST - 7);
    double base[CANDIDATES], best = INFINITY, spent = 0;
    int16_t values[3 * CANDIDATES];
    const struct star_traits traits = {3, values};
    for (int i = 0; i < count; i++) {
        groups[i] = i ? 1 + (int)random_below(&seed, 8) : 0;
        base[i] = 1e-3 * exp((double)random_below(&seed, 1000) / 1000 * log(6));
    }
    uint64_t other = seed + 1;
    fill_traits(values, base, count, kind, &other);
    for (int i = 0; i < count; i++)
        best = fmin(best, base[i]);
    start_with_traits(&world, 2, tuning, groups, &traits, base, count);
    world.seconds = noisy;
    world.seed = seed;
    for (int i = 0; i < calls; i++) {
        spent += base[current(&world)];
        step(&world);
    }
    struct outcome outcome = {spent / (best * calls) - 1, base[current(&world)] / best - 1};
    stop(&world);
    return outcome;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { TRIALS = 800 };

static struct outcome median_of(struct star_tuning tuning, enum kind kind, int calls, int *good)
{
    double regrets[TRIALS], chosen[TRIALS];
    *good = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct outcome outcome = simulate(tuning, kind, 1000 + (uint64_t)i, calls);
        regrets[i] = outcome.regret;
        chosen[i] = outcome.chosen;
        *good += outcome.chosen < 0.05;
    }
    qsort(regrets, TRIALS, sizeof *regrets, by_size);
    qsort(chosen, TRIALS, sizeof *chosen, by_size);
    return (struct outcome){regrets[TRIALS / 2], chosen[TRIALS / 2]};
}

static const char *const names[STAR_STRATEGIES] = {
    [STAR_EXHAUSTIVE] = "exhaustive", [STAR_GROUPED] = "grouped",     [STAR_RACE] = "race",
    [STAR_HYPOTHESIS] = "hypothesis", [STAR_FACTORIAL] = "factorial", [STAR_HALVING] = "halving"};

/* 8 to 32 methods, up to six times apart, 6 % of noise, 3 % of the calls disturbed. */
static void it_costs_less_than_the_papers_strategies_and_finds_no_worse(void **state)
{
    (void)state;
    for (int calls = 100; calls <= 2500; calls *= 5) {
        struct outcome race, other;
        int good, good_of_other;
        race = median_of(racing(0.05), ANYHOW, calls, &good);
        print_message("%d calls: race %.2f times the best, within 5 %% of it in the end: %d of %d\n", calls,
                      1 + race.regret, good, TRIALS);
        for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
            struct star_tuning tuning = racing(0.05);
            tuning.strategy = (enum star_strategy)strategy;
            if (strategy == STAR_RACE)
                continue;
            other = median_of(tuning, ANYHOW, calls, &good_of_other);
            print_message("  %s %.2f, %d\n", names[strategy], 1 + other.regret, good_of_other);
            if (strategy == STAR_HALVING) /* knows no budget: it costs more at first, and finds more */
                continue;
            assert_true(race.regret < 0.75 * other.regret);
            if (calls == 2500)
                assert_true(good > good_of_other - TRIALS / 10); /* chance */
        }
    }
}

/* What hypotheses and designs are for: they measure less than all, and so cost less. */
static void where_attributes_tell_the_times_strategies_that_look_at_them_cost_less(void **state)
{
    (void)state;
    for (int calls = 100; calls <= 2500; calls *= 5) {
        struct outcome outcome[STAR_STRATEGIES];
        print_message("%d calls, by attributes:", calls);
        for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
            struct star_tuning tuning = racing(0.05);
            int good;
            tuning.strategy = (enum star_strategy)strategy;
            outcome[strategy] = median_of(tuning, BY_ATTRIBUTES, calls, &good);
            print_message(" %s %.2f, %d;", names[strategy], 1 + outcome[strategy].regret, good);
        }
        print_message("\n");
        assert_true(outcome[STAR_HYPOTHESIS].regret < outcome[STAR_EXHAUSTIVE].regret);
        assert_true(outcome[STAR_FACTORIAL].regret < outcome[STAR_EXHAUSTIVE].regret);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_runs_first_and_the_fastest_last),
        cmocka_unit_test(the_fastest_is_found_though_the_first_cannot_be_run),
        cmocka_unit_test(of_ties_native_wins_else_any),
        cmocka_unit_test(nothing_is_tried_without_a_budget),
        cmocka_unit_test(the_budget_is_kept_at_every_call),
        cmocka_unit_test(the_budget_pays_agreements_too),
        cmocka_unit_test(where_calls_are_long_the_first_one_counts),
        cmocka_unit_test(where_agreeing_takes_long_several_are_visited_at_once),
        cmocka_unit_test(short_calls_are_found_as_soon),
        cmocka_unit_test(a_method_that_only_begins_fast_does_not_win),
        cmocka_unit_test(native_is_measured_anew_and_seldom),
        cmocka_unit_test(native_that_takes_no_time_is_measured_seldom),
        cmocka_unit_test(another_takes_over_when_the_chosen_gets_slow),
        cmocka_unit_test(where_ranks_run_ahead_the_slowest_one_counts),
        cmocka_unit_test(samples_last_as_long_as_on_the_slowest_rank),
        cmocka_unit_test(what_is_put_off_counts),
        cmocka_unit_test(a_rank_that_is_always_slower_is_no_change),
        cmocka_unit_test(short_calls_are_agreed_on_seldom),
        cmocka_unit_test(who_fell_out_has_another_chance),
        cmocka_unit_test(forecasts_are_tried_in_their_order_and_may_be_wrong),
        cmocka_unit_test(what_predicting_took_is_paid_by_the_budget),
        cmocka_unit_test(waiting_for_a_late_rank_is_no_price_of_tuning),
        cmocka_unit_test(a_long_program_agrees_seldom),
        cmocka_unit_test(it_costs_less_than_the_papers_strategies_and_finds_no_worse),
        cmocka_unit_test(where_attributes_tell_the_times_strategies_that_look_at_them_cost_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
