/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner in lock step on several simulated ranks, with made-up times. */
#include "algorithms/methods.h"
#include "expect.h"
#include "tuner/tuner.h"

#include <math.h>

enum { RANKS_MAX = 8, CANDIDATES = 32 };

struct world {
    struct star_tuner *ranks[RANKS_MAX];
    struct star_tuning tuning;
    int size, count, leader;
    int groups[CANDIDATES];
    double base[CANDIDATES]; /* what a candidate really takes */
    bool unable[CANDIDATES];
    double (*seconds)(struct world *world, int candidate, int rank);
    long calls, agreements, calls_of[CANDIDATES];
    struct star_decision last;
    uint64_t seed;
};

static double really(struct world *world, int candidate, int rank)
{
    (void)rank;
    return world->base[candidate];
}

static struct star_tuning usual(enum star_strategy strategy)
{
    return (struct star_tuning){.strategy = strategy,
                                .estimator = STAR_MIN_OF_MEAN,
                                .iter = 10,
                                .warmup = 0,
                                .delta = 2,
                                .delta_most = 1024,
                                .epsilon = 0.1};
}

static void start(struct world *world, int size, struct star_tuning tuning, const int *groups,
                  const double *base, int count)
{
    memset(world, 0, sizeof *world);
    world->size = size;
    world->count = count;
    world->tuning = tuning;
    world->seconds = really;
    world->seed = 7;
    for (int i = 0; i < count; i++) {
        world->groups[i] = groups[i];
        world->base[i] = base[i];
    }
    for (int r = 0; r < size; r++) {
        world->ranks[r] = star_tuner_new(&tuning, groups, count);
        assert_non_null(world->ranks[r]);
    }
}

static void stop(struct world *world)
{
    for (int r = 0; r < world->size; r++)
        star_tuner_free(world->ranks[r]);
}

static int current(const struct world *world)
{
    return star_tuner_candidate(world->ranks[0]);
}

static enum star_stage stage(const struct world *world)
{
    return star_tuner_stage(world->ranks[0]);
}

static int delta(const struct world *world)
{
    return star_tuner_delta(world->ranks[0]);
}

static struct star_tuner *leader(const struct world *world)
{
    return world->ranks[world->leader];
}

static void reduce(const struct world *world, double *sums, double *maxima, size_t sum_count,
                   size_t max_count)
{
    for (int r = 0; r < world->size; r++) {
        assert_int_equal(star_tuner_sums(world->ranks[r]), sum_count);
        assert_int_equal(star_tuner_maxima(world->ranks[r]), max_count);
        double *own = star_tuner_scratch(world->ranks[r]);
        star_tuner_figures(world->ranks[r], own, own + sum_count);
        for (size_t i = 0; i < sum_count; i++)
            sums[i] += own[i];
        for (size_t i = 0; i < max_count; i++)
            maxima[i] = r == 0 ? own[sum_count + i] : fmax(maxima[i], own[sum_count + i]);
    }
}

static void agree(struct world *world)
{
    size_t sum_count = star_tuner_sums(leader(world)), max_count = star_tuner_maxima(leader(world));
    double *sums = calloc(sum_count + 1, sizeof *sums), *maxima = calloc(max_count + 1, sizeof *maxima);
    reduce(world, sums, maxima, sum_count, max_count);
    star_tuner_decide(leader(world), sums, maxima, world->size, &world->last);
    for (int r = 0; r < world->size; r++)
        assert_true(star_tuner_apply(world->ranks[r], &world->last));
    world->agreements++;
    free(sums);
    free(maxima);
}

static void expect_in_step(const struct world *world)
{
    int candidate = current(world);
    assert_in_range(candidate, 0, world->count - 1);
    for (int r = 1; r < world->size; r++) {
        assert_int_equal(star_tuner_candidate(world->ranks[r]), candidate);
        assert_int_equal(star_tuner_counts(world->ranks[r]), star_tuner_counts(world->ranks[0]));
        assert_int_equal(star_tuner_stage(world->ranks[r]), stage(world));
        assert_int_equal(star_tuner_delta(world->ranks[r]), delta(world));
        assert_int_equal(star_tuner_is_shut_out(world->ranks[r], candidate),
                         star_tuner_is_shut_out(world->ranks[0], candidate));
    }
}

/* One call on all ranks, or the discovery that its candidate cannot be run. */
static void step(struct world *world)
{
    expect_in_step(world);
    int candidate = current(world), due = 0;
    bool unable = world->unable[candidate];
    for (int r = 0; r < world->size; r++)
        due += unable ? star_tuner_shut_out(world->ranks[r])
                      : star_tuner_record(world->ranks[r], world->seconds(world, candidate, r));
    if (!unable) {
        world->calls++;
        world->calls_of[candidate]++;
    }
    assert_true(due == 0 || due == world->size);
    if (due)
        agree(world);
}

static void run(struct world *world, long steps)
{
    for (long i = 0; i < steps; i++)
        step(world);
}

/* Until a decision was taken; returns the calls made. */
static long run_to_decision(struct world *world)
{
    long before = world->calls, agreements = world->agreements;
    for (long i = 0; world->agreements == agreements; i++) {
        assert_true(i < 1000000);
        step(world);
    }
    return world->calls - before;
}

static long run_to_choice(struct world *world)
{
    long before = world->calls;
    while (stage(world) == STAR_MEASURE)
        run_to_decision(world);
    return world->calls - before;
}

/* Native alone, then groups of two, one and three. */
static const int seven_groups[] = {0, 1, 1, 2, 3, 3, 3};
static const double seven_times[] = {7e-3, 6e-3, 5e-3, 4e-3, 3e-3, 2e-3, 8e-3};

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
        stop(&world);
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
        stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
}

static void short_calls_are_sampled_once_a_method_is_chosen(void **state)
{
    (void)state;
    static const double brief[] = {7e-6, 5e-6}, longer[] = {7e-5, 5e-5};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.sample = 16;
    struct world world;
    start(&world, 2, tuning, seven_groups, brief, 2);
    assert_int_equal(star_tuner_stride(world.ranks[1]), 1);
    run_to_choice(&world);
    for (int r = 0; r < 2; r++)
        assert_int_equal(star_tuner_stride(world.ranks[r]), 16);
    stop(&world);
    start(&world, 2, tuning, seven_groups, longer, 2);
    run_to_choice(&world);
    assert_int_equal(star_tuner_stride(world.ranks[0]), 1);
    stop(&world);
}

static void a_group_whose_others_disappoint_keeps_its_first(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.base[4] = 1e-3;
    run_to_choice(&world);
    assert_int_equal(current(&world), 4);
    stop(&world);
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
    stop(&world);
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
        stop(&world);
    }
}

static double wild(struct world *world, int candidate, int rank)
{
    double exponent = (double)random_below(&world->seed, 1000) / 100 - 5;
    return world->base[candidate] * exp(exponent) * (rank + 1);
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
            stop(&world);
        }
}

static void delta_doubles_up_to_its_bound_while_the_method_is_good(void **state)
{
    (void)state;
    static const int expected[] = {4, 8, 12, 12, 12};
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.delta_most = 12;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    assert_int_equal(delta(&world), 2);
    for (int i = 0; i < 5; i++) {
        int before = delta(&world);
        assert_int_equal(run_to_decision(&world), before * 10);
        assert_int_equal(delta(&world), expected[i]);
        assert_int_equal(world.last.reason, STAR_KEPT);
        assert_int_equal(current(&world), 5);
    }
    stop(&world);
}

static void delta_never_exceeds_its_bound(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.delta = 8;
    tuning.delta_most = 4;
    struct world world;
    start(&world, 2, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    for (int i = 0; i < 4; i++) {
        assert_true(delta(&world) <= 4);
        run_to_decision(&world);
    }
    stop(&world);
}

static void the_largest_delta_does_not_overflow(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    tuning.iter = 1;
    tuning.delta = tuning.delta_most = INT32_MAX;
    struct world world;
    start(&world, 1, tuning, seven_groups, seven_times, 7);
    run(&world, 1000);
    assert_int_equal(delta(&world), INT32_MAX);
    assert_int_equal(world.agreements, 1);
    stop(&world);
}

static void the_steady_state_agrees_logarithmically_often(void **state)
{
    (void)state;
    struct star_tuning tuning = usual(STAR_GROUPED);
    tuning.delta_most = 1 << 20;
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    run_to_choice(&world);
    long before = world.agreements;
    run(&world, 100000);
    /* Periods of 20, 40, 80, … calls: 12 of them end within 100,000. */
    assert_int_equal(world.agreements - before, 12);
    assert_int_equal(current(&world), 5);
    stop(&world);
}

static void a_disturbance_is_watched_more_closely_but_changes_nothing(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    run_to_decision(&world);
    run_to_decision(&world);
    assert_int_equal(delta(&world), 8);
    world.base[5] = 1;
    run(&world, 70); /* all but the last 10 calls of the period are slow */
    world.base[5] = seven_times[5];
    assert_int_equal(run_to_decision(&world), 10);
    assert_int_equal(world.last.reason, STAR_DISTURBED);
    assert_int_equal(current(&world), 5);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(delta(&world), 2);
    assert_int_equal(run_to_decision(&world), 20);
    assert_int_equal(world.last.reason, STAR_KEPT);
    stop(&world);
}

static void a_slow_end_of_a_good_period_changes_nothing(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    for (int i = 0; i < 4; i++)
        run_to_decision(&world);
    run(&world, 32 * 10 - 10);
    world.base[5] = 4e-3; /* the second best takes 3 ms */
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_KEPT);
    assert_int_equal(current(&world), 5);
    stop(&world);
}

static void slower_by_less_than_epsilon_is_still_good(void **state)
{
    (void)state;
    static const double late[] = {3.29e-3, 3.31e-3}; /* the second best takes 3 ms */
    for (int i = 0; i < 2; i++) {
        struct world world;
        start(&world, 2, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
        run_to_choice(&world);
        world.base[5] = late[i];
        run_to_decision(&world);
        assert_int_equal(world.last.reason, i ? STAR_OVERTAKEN : STAR_KEPT);
        assert_int_equal(current(&world), i ? 4 : 5);
        stop(&world);
    }
}

static void deterioration_gives_way_to_the_second_best(void **state)
{
    (void)state;
    struct world world;
    start(&world, 3, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    run_to_choice(&world);
    run_to_decision(&world);
    run_to_decision(&world);
    world.base[5] = 9e-3;
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_OVERTAKEN);
    assert_int_equal(current(&world), 4);
    assert_int_equal(stage(&world), STAR_MONITOR);
    assert_int_equal(delta(&world), 2);
    assert_true(fabs(star_tuner_estimate(leader(&world), 5) - 9e-3) < 1e-9);
    world.base[4] = 9e-3; /* and on to the third */
    run_to_decision(&world);
    assert_int_equal(current(&world), 3);
    stop(&world);
}

static void a_new_group_is_measured_before_one_of_it_is_chosen(void **state)
{
    (void)state;
    static const int groups[] = {0, 1, 1, 2, 2};
    static const double times[] = {9e-3, 2e-3, 3e-3, 4e-3, 1e-3};
    struct world world;
    start(&world, 3, usual(STAR_GROUPED), groups, times, 5);
    run_to_choice(&world);
    assert_int_equal(current(&world), 1); /* 4 is faster, but speaks for no group */
    world.base[1] = 20e-3;
    run_to_decision(&world);
    assert_int_equal(current(&world), 2);
    assert_int_equal(world.last.reason, STAR_OVERTAKEN);
    world.base[2] = 20e-3;
    run_to_decision(&world);
    assert_int_equal(world.last.reason, STAR_GROUP);
    assert_int_equal(stage(&world), STAR_MEASURE);
    assert_int_equal(current(&world), 4);
    assert_int_equal(run_to_choice(&world), 10);
    assert_int_equal(current(&world), 4);
    stop(&world);
}

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
    stop(&world);
}

static void whole_groups_that_cannot_be_run_are_left_out(void **state)
{
    (void)state;
    struct world world;
    start(&world, 2, usual(STAR_GROUPED), seven_groups, seven_times, 7);
    world.unable[4] = world.unable[5] = world.unable[6] = world.unable[3] = true;
    run_to_choice(&world);
    assert_int_equal(current(&world), 2);
    stop(&world);
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
        for (int i = 0; i < 7; i++) {
            double estimate = star_tuner_estimate(leader(&world), i);
            assert_true(i == out ? isnan(estimate) : fabs(estimate - seven_times[i]) < 1e-12);
            assert_int_equal(star_tuner_samples(leader(&world), i) == NULL, i == out);
        }
        stop(&world);
    }
}

static void all_but_native_shut_out_leaves_native(void **state)
{
    (void)state;
    for (int strategy = STAR_EXHAUSTIVE; strategy <= STAR_GROUPED; strategy++) {
        struct world world;
        start(&world, 3, usual(strategy), seven_groups, seven_times, 7);
        for (int i = 1; i < 7; i++)
            world.unable[i] = true;
        assert_int_equal(run_to_choice(&world), 10);
        assert_int_equal(current(&world), 0);
        assert_int_equal(stage(&world), STAR_MONITOR);
        run(&world, 1000);
        assert_int_equal(world.calls_of[0], world.calls);
        stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
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
    stop(&world);
}

static void no_candidates_or_too_many_give_no_tuner(void **state)
{
    (void)state;
    static int groups[STAR_CANDIDATES_MAX + 1];
    struct star_tuning tuning = usual(STAR_EXHAUSTIVE);
    assert_null(star_tuner_new(&tuning, groups, 0));
    assert_null(star_tuner_new(&tuning, groups, STAR_CANDIDATES_MAX + 1));
    struct star_tuner *tuner = star_tuner_new(&tuning, groups, STAR_CANDIDATES_MAX);
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
        .stage = STAR_MEASURE, .reason = STAR_GROUP, .delta = 2, .count = 2, .list = {1, 2}};
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
    stop(&world);
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
    }
    struct star_decision two_chosen = sound();
    two_chosen.stage = STAR_MONITOR;
    expect_refused(&world, &two_chosen);
    stop(&world);
}

static void a_damaged_reason_is_refused(void **state)
{
    (void)state;
    static const int32_t odd[] = {STAR_UNABLE + 1, -1, INT32_MAX};
    struct world world;
    start(&world, 1, usual(STAR_EXHAUSTIVE), seven_groups, seven_times, 7);
    for (size_t i = 0; i < 3; i++) {
        struct star_decision damaged = sound();
        damaged.reason = odd[i]; /* reports look its name up */
        expect_refused(&world, &damaged);
    }
    stop(&world);
}

static void every_reason_has_a_name(void **state)
{
    (void)state;
    for (int i = STAR_FIRST; i <= STAR_UNABLE; i++)
        expect_one_line(star_reason_names[i]);
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
    assert_true(isnan(star_tuner_estimate(leader(&world), 0)));
    assert_null(star_tuner_samples(leader(&world), 0));
    run_to_choice(&world);
    assert_true(fabs(star_tuner_estimate(leader(&world), 0) - 2) < 1e-12);
    assert_true(fabs(star_tuner_estimate(leader(&world), 1) - 1.5) < 1e-12);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(star_tuner_samples(leader(&world), 0)[i] - means[i]) < 1e-12);
    assert_int_equal(current(&world), 1);
    stop(&world);
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
    /* Candidate 0: rank 0 keeps 1 of {1, 5, 3, 9}; rank 1 keeps 1 of {3, 1, 9, 9}.
     * Candidate 1: rank 0 keeps 1, 1, 2 of {1, 1, 2, 10}; rank 1 keeps all of {2, 2, 2, 2}. */
    assert_true(fabs(star_tuner_estimate(leader(&world), 0) - 1) < 1e-12);
    assert_true(fabs(star_tuner_estimate(leader(&world), 1) - 2) < 1e-12);
    assert_int_equal(current(&world), 0);
    stop(&world);
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
    for (int strategy = STAR_EXHAUSTIVE; strategy <= STAR_GROUPED; strategy++)
        for (int estimator = STAR_MIN_OF_MEAN; estimator <= STAR_MAX_OF_FILTERED_MEAN; estimator++) {
            struct star_tuning tuning = usual(strategy);
            tuning.estimator = estimator;
            tuning.delta_most = 16;
            struct world world;
            start(&world, 4, tuning, seven_groups, seven_times, 5);
            world.seconds = damaged;
            run(&world, 20000);
            for (int i = 0; i < 5; i++)
                assert_false(star_tuner_estimate(leader(&world), i) < 0);
            run(&world, 20000);
            /* Within epsilon of the best, of all or of the groups' speakers. */
            assert_true(world.base[current(&world)] <= 1.1 * seven_times[4] + 1e-12);
            stop(&world);
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
        stop(&world);
    }
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
        stop(&world);
    }
}

/* Groups as the repository would number them: native alone, the others anyhow. */
static void start_random(struct world *world, uint64_t *seed)
{
    int groups[CANDIDATES], count = 1 + (int)random_below(seed, CANDIDATES);
    double base[CANDIDATES];
    for (int i = 0; i < count; i++) {
        groups[i] = i ? 1 + (int)random_below(seed, 6) : 0;
        base[i] = 1e-6 * (double)(1 + random_below(seed, 100000));
    }
    struct star_tuning tuning = {.strategy = (enum star_strategy)random_below(seed, 2),
                                 .estimator = (enum star_estimator)random_below(seed, 2),
                                 .iter = 1 + (int)random_below(seed, 8),
                                 .warmup = (int)random_below(seed, 3),
                                 .delta = 1 + (int)random_below(seed, 3),
                                 .delta_most = 3 + (int)random_below(seed, 20),
                                 .epsilon = (double)random_below(seed, 30) / 100};
    start(world, 1 + (int)random_below(seed, RANKS_MAX), tuning, groups, base, count);
    world->leader = (int)random_below(seed, (uint64_t)world->size);
    world->seconds = random_below(seed, 2) ? wild : really;
    world->seed = random_next(seed);
}

static void whatever_happens_what_cannot_be_run_is_not_chosen(void **state)
{
    (void)state;
    uint64_t seed = 4242;
    for (int trial = 0; trial < 150; trial++) {
        struct world world;
        start_random(&world, &seed);
        for (int i = 0; i < 1500; i++) {
            if (random_below(&seed, 40) == 0)
                world.unable[1 + random_below(&seed, CANDIDATES - 1)] = true;
            int candidate = current(&world);
            assert_false(star_tuner_is_shut_out(world.ranks[0], candidate));
            step(&world);
        }
        stop(&world);
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
        stop(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_is_measured_first),
        cmocka_unit_test(exhaustive_finds_the_fastest_wherever_it_stands),
        cmocka_unit_test(grouped_finds_the_fastest_of_the_best_group),
        cmocka_unit_test(native_is_measured_again_before_it_is_replaced),
        cmocka_unit_test(the_best_replaces_native_once_that_is_confirmed),
        cmocka_unit_test(native_that_is_best_needs_no_confirmation),
        cmocka_unit_test(short_calls_are_sampled_once_a_method_is_chosen),
        cmocka_unit_test(a_group_whose_others_disappoint_keeps_its_first),
        cmocka_unit_test(the_invocations_are_those_of_the_paper),
        cmocka_unit_test(each_change_of_method_costs_its_warmup),
        cmocka_unit_test(warmup_calls_are_not_counted),
        cmocka_unit_test(ranks_stay_in_step_though_their_times_differ_wildly),
        cmocka_unit_test(delta_doubles_up_to_its_bound_while_the_method_is_good),
        cmocka_unit_test(delta_never_exceeds_its_bound),
        cmocka_unit_test(the_largest_delta_does_not_overflow),
        cmocka_unit_test(the_steady_state_agrees_logarithmically_often),
        cmocka_unit_test(a_disturbance_is_watched_more_closely_but_changes_nothing),
        cmocka_unit_test(a_slow_end_of_a_good_period_changes_nothing),
        cmocka_unit_test(slower_by_less_than_epsilon_is_still_good),
        cmocka_unit_test(deterioration_gives_way_to_the_second_best),
        cmocka_unit_test(a_new_group_is_measured_before_one_of_it_is_chosen),
        cmocka_unit_test(a_shut_out_candidate_is_replaced_by_another_of_its_group),
        cmocka_unit_test(whole_groups_that_cannot_be_run_are_left_out),
        cmocka_unit_test(shutting_out_half_way_forgets_the_samples),
        cmocka_unit_test(all_but_native_shut_out_leaves_native),
        cmocka_unit_test(a_group_list_all_shut_out_leaves_what_was_measured),
        cmocka_unit_test(a_list_all_shut_out_ends_with_native),
        cmocka_unit_test(a_chosen_method_shut_out_gives_way_to_native_then_to_the_best),
        cmocka_unit_test(one_candidate_never_agrees),
        cmocka_unit_test(no_candidates_or_too_many_give_no_tuner),
        cmocka_unit_test(a_damaged_list_is_refused),
        cmocka_unit_test(a_damaged_stage_or_delta_is_refused),
        cmocka_unit_test(a_damaged_reason_is_refused),
        cmocka_unit_test(every_reason_has_a_name),
        cmocka_unit_test(min_of_mean_is_the_least_call_averaged_over_ranks),
        cmocka_unit_test(max_of_filtered_mean_is_that_of_the_slowest_rank),
        cmocka_unit_test(the_filter_drops_samples_from_three_times_the_least),
        cmocka_unit_test(times_that_are_none_do_no_lasting_harm),
        cmocka_unit_test(times_of_nothing_keep_ranks_in_step),
        cmocka_unit_test(equals_go_to_native),
        cmocka_unit_test(whatever_happens_what_cannot_be_run_is_not_chosen),
        cmocka_unit_test(with_steady_times_exhaustive_always_ends_with_the_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
