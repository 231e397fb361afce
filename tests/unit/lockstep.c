/* SPDX-License-Identifier: BSD-3-Clause */
#include "lockstep.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"

#include <math.h>

double really(struct world *world, int candidate, int rank)
{
    (void)rank;
    return world->base[candidate];
}

struct star_tuning usual(enum star_strategy strategy)
{
    return (struct star_tuning){.strategy = strategy,
                                .estimator = STAR_MIN_OF_MEAN,
                                .iter = 10,
                                .warmup = 0,
                                .delta = 2,
                                .delta_most = 1024,
                                .epsilon = 0.1,
                                .budget = 0.05,
                                .confidence = 2,
                                .apart = 2,
                                .effect = 0.05};
}

struct star_tuning racing(double budget)
{
    struct star_tuning tuning = usual(STAR_RACE);
    tuning.estimator = STAR_ESTIMATOR_AUTO;
    tuning.warmup = 1;
    tuning.confirm = true;
    tuning.budget = budget;
    return tuning;
}

void start(struct world *world, int size, struct star_tuning tuning, const int *groups, const double *base,
           int count)
{
    start_with_traits(world, size, tuning, groups, NULL, base, count);
}

void start_with_traits(struct world *world, int size, struct star_tuning tuning, const int *groups,
                       const struct star_traits *traits, const double *base, int count)
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
        world->ranks[r] = star_tuner_new(&tuning, groups, traits, count, true);
        assert_non_null(world->ranks[r]);
    }
}

void finish(struct world *world)
{
    for (int r = 0; r < world->size; r++)
        star_tuner_free(world->ranks[r]);
}

int current(const struct world *world)
{
    return star_tuner_candidate(world->ranks[0]);
}

enum star_stage stage(const struct world *world)
{
    return star_tuner_stage(world->ranks[0]);
}

int delta(const struct world *world)
{
    return star_tuner_delta(world->ranks[0]);
}

struct star_tuner *leader(const struct world *world)
{
    return world->ranks[world->leader];
}

static void reduce(const struct world *world, struct star_figure *all, size_t count)
{
    for (int r = 0; r < world->size; r++) {
        assert_int_equal(star_tuner_figures(world->ranks[r]), count);
        struct star_figure *own = star_tuner_scratch(world->ranks[r]);
        star_tuner_tell(world->ranks[r], own);
        for (size_t i = 0; i < count; i++) {
            all[i].sum += own[i].sum;
            all[i].most = r == 0 ? own[i].most : fmax(all[i].most, own[i].most);
        }
    }
}

static void agree(struct world *world)
{
    size_t count = star_tuner_figures(leader(world));
    struct star_figure *all = calloc(count, sizeof *all);
    reduce(world, all, count);
    star_tuner_decide(leader(world), all, world->size, &world->last);
    for (int r = 0; r < world->size; r++) {
        star_tuner_wait(world->ranks[r], star_tuner_least(leader(world)));
        assert_true(star_tuner_apply(world->ranks[r], &world->last));
        star_tuner_spend(world->ranks[r], world->agreeing + (r < world->size - 1 ? world->waiting : 0));
    }
    world->agreements++;
    free(all);
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
        assert_int_equal(star_tuner_gap(world->ranks[r]), star_tuner_gap(world->ranks[0]));
        assert_int_equal(star_tuner_is_shut_out(world->ranks[r], candidate),
                         star_tuner_is_shut_out(world->ranks[0], candidate));
    }
}

void step(struct world *world)
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

void run(struct world *world, long steps)
{
    for (long i = 0; i < steps; i++)
        step(world);
}

long run_to_decision(struct world *world)
{
    long before = world->calls, agreements = world->agreements;
    for (long i = 0; world->agreements == agreements; i++) {
        assert_true(i < 1000000);
        step(world);
    }
    return world->calls - before;
}

long run_to_choice(struct world *world)
{
    long before = world->calls;
    while (stage(world) == STAR_MEASURE)
        run_to_decision(world);
    return world->calls - before;
}

double wild(struct world *world, int candidate, int rank)
{
    double exponent = (double)random_below(&world->seed, 1000) / 100 - 5;
    return world->base[candidate] * exp(exponent) * (rank + 1);
}

void start_random(struct world *world, uint64_t *seed)
{
    int groups[CANDIDATES], count = 1 + (int)random_below(seed, DRAWN_MOST);
    double base[CANDIDATES];
    for (int i = 0; i < count; i++) {
        groups[i] = i ? 1 + (int)random_below(seed, 6) : 0;
        base[i] = 1e-6 * (double)(1 + random_below(seed, 100000));
    }
    struct star_tuning tuning = {.strategy = (enum star_strategy)random_below(seed, STAR_STRATEGIES),
                                 .estimator = (enum star_estimator)random_below(seed, 2),
                                 .iter = 1 + (int)random_below(seed, 8),
                                 .warmup = (int)random_below(seed, 3),
                                 .delta = 1 + (int)random_below(seed, 3),
                                 .delta_most = 3 + (int)random_below(seed, 20),
                                 .epsilon = (double)random_below(seed, 30) / 100,
                                 .budget = (double)random_below(seed, 200) / 100,
                                 .confidence = 1 + (int)random_below(seed, 3),
                                 .effect = (double)random_below(seed, 30) / 100};
    int16_t values[CANDIDATES * 4];
    struct star_traits traits = {.attributes = (int)random_below(seed, 5), .value = values};
    for (int i = 0; i < CANDIDATES * 4; i++)
        values[i] = (int16_t)((int)random_below(seed, 5) - 1);
    start_with_traits(world, 1 + (int)random_below(seed, RANKS_MAX), tuning, groups, &traits, base, count);
    world->leader = (int)random_below(seed, (uint64_t)world->size);
    world->seconds = random_below(seed, 2) ? wild : really;
    world->seed = random_next(seed);
}
