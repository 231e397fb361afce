/* SPDX-License-Identifier: BSD-3-Clause
 * All strategies on many made-up contexts: what they cost, and what they find. */
#include "lockstep.h"
#include "tuner/candidates.h"
#include "tuner/tuning.h"

#include <math.h>
#include <stdlib.h>

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
    finish(&world);
    return outcome;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { TRIALS_MOST = 800, FEW = 40 };

static struct outcome median_of(struct star_tuning tuning, enum kind kind, int calls, int *good)
{
    double regrets[TRIALS_MOST], chosen[TRIALS_MOST];
    int count = trials(TRIALS_MOST, FEW);
    *good = 0;
    for (int i = 0; i < count; i++) {
        struct outcome outcome = simulate(tuning, kind, 1000 + (uint64_t)i, calls);
        regrets[i] = outcome.regret;
        chosen[i] = outcome.chosen;
        *good += outcome.chosen < 0.05;
    }
    qsort(regrets, (size_t)count, sizeof *regrets, by_size);
    qsort(chosen, (size_t)count, sizeof *chosen, by_size);
    return (struct outcome){regrets[count / 2], chosen[count / 2]};
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
        int good, good_of_other, count = trials(TRIALS_MOST, FEW);
        race = median_of(racing(0.05), ANYHOW, calls, &good);
        print_message("%d calls: race %.2f times the best, within 5 %% of it in the end: %d of %d\n", calls,
                      1 + race.regret, good, count);
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
                assert_true(good > good_of_other - count / 10); /* chance */
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
        cmocka_unit_test(it_costs_less_than_the_papers_strategies_and_finds_no_worse),
        cmocka_unit_test(where_attributes_tell_the_times_strategies_that_look_at_them_cost_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
