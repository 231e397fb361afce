/* SPDX-License-Identifier: BSD-3-Clause
 * Made-up candidates: native, which has no attributes, and one for each combination of three attributes'
 * values, in which the last attribute changes first. */
#ifndef TESTS_GRIDS_H
#define TESTS_GRIDS_H

#include "lockstep.h"

enum { ATTRIBUTES = 3 };

struct grid {
    int sizes[ATTRIBUTES], count;
    int groups[CANDIDATES];
    double base[CANDIDATES];
    int16_t value[CANDIDATES * ATTRIBUTES];
    struct star_traits traits;
};

static inline int16_t value_of(const struct grid *grid, int candidate, int attribute)
{
    return grid->value[candidate * ATTRIBUTES + attribute];
}

/* The candidate that has these values. */
static inline int at(const struct grid *grid, int a, int b, int c)
{
    return 1 + (a * grid->sizes[1] + b) * grid->sizes[2] + c;
}

/* Native takes 50 ms, the others 1 ms. */
static inline void make_grid(struct grid *grid, int first, int second, int third)
{
    *grid = (struct grid){.sizes = {first, second, third}, .count = 1 + first * second * third};
    grid->traits = (struct star_traits){ATTRIBUTES, grid->value};
    assert_in_range(grid->count, 2, CANDIDATES);
    for (int i = 0; i < grid->count; i++) {
        int place = i - 1, values[] = {place / (second * third), place / third % second, place % third};
        grid->groups[i] = i > 0;
        grid->base[i] = i == 0 ? 50e-3 : 1e-3;
        for (int a = 0; a < ATTRIBUTES; a++)
            grid->value[i * ATTRIBUTES + a] = (int16_t)(i == 0 ? -1 : values[a]);
    }
}

/* Makes candidates with that value of an attribute so many times as slow. */
static inline void multiply(struct grid *grid, int attribute, int value, double times)
{
    for (int i = 0; i < grid->count; i++)
        if (value_of(grid, i, attribute) == value)
            grid->base[i] *= times;
}

/* The best values are the last of the first attribute, the middle of the second and the first of the third.
 */
static inline void make_independent(struct grid *grid)
{
    make_grid(grid, 3, 3, 3);
    multiply(grid, 0, 0, 3), multiply(grid, 0, 1, 2);
    multiply(grid, 1, 0, 1.5), multiply(grid, 1, 2, 2);
    multiply(grid, 2, 1, 1.2), multiply(grid, 2, 2, 1.4);
}

static inline void start_grid(struct world *world, int size, struct star_tuning tuning,
                              const struct grid *grid)
{
    start_with_traits(world, size, tuning, grid->groups, &grid->traits, grid->base, grid->count);
}

static inline int measured(const struct world *world)
{
    int count = 0, samples;
    for (int i = 0; i < world->count; i++)
        count += star_tuner_samples(leader(world), i, &samples) != NULL;
    return count;
}

static inline int fastest(const struct world *world)
{
    int best = 0;
    for (int i = 0; i < world->count; i++)
        if (!world->unable[i] && (world->unable[best] || world->base[i] < world->base[best]))
            best = i;
    return best;
}

/* Attributes that multiply times, each by anything: the best is found, on average by measuring AT MOST this
 * share of all. */
static inline void expect_the_best_of_products(enum star_strategy strategy, double at_most)
{
    uint64_t seed = 5;
    int all = 0, some = 0;
    for (int trial = 0; trial < 200; trial++) {
        struct grid grid;
        struct world world;
        make_grid(&grid, 2 + (int)random_below(&seed, 2), 2 + (int)random_below(&seed, 2),
                  1 + (int)random_below(&seed, 3));
        for (int a = 0; a < ATTRIBUTES; a++)
            for (int value = 0; value < grid.sizes[a]; value++)
                multiply(&grid, a, value, 1 + (double)random_below(&seed, 1000) / 500);
        start_grid(&world, 1 + trial % 4, usual(strategy), &grid);
        world.leader = trial % world.size;
        run_to_choice(&world);
        assert_int_equal(current(&world), fastest(&world));
        all += world.count;
        some += measured(&world);
        finish(&world);
    }
    print_message("%d of %d candidates were measured\n", some, all);
    assert_true(some <= at_most * all);
}

/* Whatever the times, and whoever cannot be run: ranks stay in step, nothing is measured twice before the
 * choice, and the choice is the fastest of what was measured. */
static inline void expect_a_sane_choice_of_anything(enum star_strategy strategy)
{
    uint64_t seed = 77;
    for (int trial = 0; trial < 300; trial++) {
        struct grid grid;
        struct world world;
        make_grid(&grid, 3, 3, 3);
        for (int i = 1; i < grid.count; i++)
            grid.base[i] = 1e-3 * (double)(1 + random_below(&seed, 60));
        struct star_tuning tuning = usual(strategy);
        tuning.warmup = trial % 3;
        start_grid(&world, 3, tuning, &grid);
        for (int i = trial % 4; i < grid.count; i++)
            world.unable[i] = random_below(&seed, 3) == 0;
        run_to_choice(&world);
        assert_true(world.calls <= (10 + tuning.warmup) * grid.count);
        for (int i = 0; i < grid.count; i++)
            assert_true(world.calls_of[i] == 0 || world.base[current(&world)] <= world.base[i]);
        world.seconds = wild;
        run(&world, 3000);
        finish(&world);
    }
}

/* The candidates have no traits that tell them from each other. */
static inline void expect_all_to_be_measured_without_traits(struct star_tuning tuning)
{
    struct world world;
    start(&world, 3, tuning, seven_groups, seven_times, 7);
    assert_int_equal(run_to_choice(&world), 7 * 10);
    assert_int_equal(current(&world), 5);
    finish(&world);
}

/* Those with the best value of the first attribute cannot be run: those with the second best can. */
static inline void expect_to_do_without_those_that_cannot_be_run(struct star_tuning tuning)
{
    struct grid grid;
    struct world world;
    make_independent(&grid);
    start_grid(&world, 3, tuning, &grid);
    for (int b = 0; b < 3; b++)
        for (int c = 0; c < 3; c++)
            world.unable[at(&grid, 2, b, c)] = true;
    run_to_choice(&world);
    assert_int_equal(current(&world), at(&grid, 1, 1, 0));
    finish(&world);
}

/* Native is measured once more before it is replaced. */
static inline void start_confirming(struct world *world, struct star_tuning tuning, struct grid *grid)
{
    make_independent(grid);
    tuning.confirm = true;
    start_grid(world, 2, tuning, grid);
}

#endif
