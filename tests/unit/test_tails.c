/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that take far longer now and then: of one method, or of all, because of the machine. */
#include "lockstep.h"
#include "tuner/tuning.h"

/* How many long calls each method has in a second of others, and by how much they are longer. */
static double rate[CANDIDATES], long_call;

/* The same on all ranks. */
static double now_and_then(struct world *world, int candidate, int rank)
{
    static double seconds;
    if (rank > 0)
        return seconds;
    bool is_long =
        (double)random_below(&world->seed, 1000000) < 1e6 * rate[candidate] * world->base[candidate];
    seconds = world->base[candidate] * (1 + 0.02 * (double)random_below(&world->seed, 100) / 100) +
              (is_long ? long_call : 0);
    return seconds;
}

static const int three_groups[] = {0, 1, 2};

/* So many calls more; the seconds that they take. */
static double go_on(struct world *world, long calls)
{
    double seconds = 0;
    for (long end = world->calls + calls; world->calls < end;) {
        step(world);
        seconds += now_and_then(world, 0, 1); /* what the last call took */
    }
    return seconds;
}

/* A program of many calls. */
static double run_program(const double *base, int seed, struct world *world)
{
    start(world, 2, racing(0.05), three_groups, base, 3);
    world->seconds = now_and_then;
    world->seed = (uint64_t)seed;
    return go_on(world, 20000);
}

/* In the mean native alone would take as long, or hardly less; and by chance never much less. */
static void a_method_with_long_calls_is_left(void **state)
{
    (void)state;
    static const double base[] = {2e-3, 1e-3, 3e-3};
    long_call = 0.2;
    for (int percent = 1; percent <= 8; percent *= 2) {
        double all = 0;
        for (int seed = 1; seed <= trials(10, 3); seed++) {
            struct world world;
            rate[0] = rate[2] = 0;
            rate[1] = percent * 0.01 / base[1];
            double seconds = run_program(base, seed, &world);
            assert_true(seconds < 1.3 * (double)world.calls * base[0]);
            all += seconds / ((double)world.calls * base[0]) / trials(10, 3);
            finish(&world);
        }
        assert_true(all < 1.1);
    }
}

static void native_with_long_calls_is_left(void **state)
{
    (void)state;
    static const double base[] = {1e-3, 1.2e-3, 3e-3};
    long_call = 0.2;
    for (int percent = 2; percent <= 8; percent *= 2)
        for (int seed = 1; seed <= trials(10, 3); seed++) {
            struct world world;
            rate[1] = rate[2] = 0;
            rate[0] = percent * 0.01 / base[0];
            double seconds = run_program(base, seed, &world),
                   native = (double)world.calls * base[0] * (1 + long_call * rate[0]);
            assert_true(seconds < 0.5 * native);
            finish(&world);
        }
}

/* So seldom that what is remembered of native holds none: it is not looked at again and again. */
static void rare_long_calls_are_not_looked_for_for_ever(void **state)
{
    (void)state;
    static const double base[] = {1e-3, 0.9e-3, 3e-3};
    long_call = 0.2;
    for (int seed = 1; seed <= trials(10, 3); seed++) {
        struct world world;
        rate[0] = rate[2] = 0;
        rate[1] = 7e-4 / base[1];
        run_program(base, seed, &world);
        go_on(&world, 80000);
        assert_true(world.agreements < 400);
        finish(&world);
    }
}

/* The machine's noise meets whatever runs. */
static void noise_is_held_against_nobody(void **state)
{
    (void)state;
    static const double base[] = {2e-3, 1e-3, 3e-3};
    long_call = 0.02;
    for (int a_second = 2; a_second <= 20; a_second *= 2)
        for (int seed = 1; seed <= trials(10, 3); seed++) {
            struct world world;
            for (int i = 0; i < 3; i++)
                rate[i] = a_second;
            double seconds = run_program(base, seed, &world);
            assert_true(seconds < 0.55 * (double)world.calls * base[0] * (1 + long_call * rate[0]));
            assert_true(world.calls_of[0] < 1000);
            finish(&world);
        }
}

/* The root of a reduction waits, the others have sent and gone on. */
static double at_the_root(struct world *world, int candidate, int rank)
{
    static const double of_others = 0.2;
    double seconds = now_and_then(world, candidate, 0);
    return rank == 0 ? seconds : of_others * world->base[candidate];
}

static void long_calls_of_one_rank_count_as_they_last(void **state)
{
    (void)state;
    static const double base[] = {1.5e-3, 1e-3, 3e-3};
    double all = 0;
    long_call = 0.2;
    rate[0] = rate[2] = 0;
    rate[1] = 0.005 / base[1];
    for (int seed = 1; seed <= trials(10, 3); seed++) {
        struct star_tuning tuning = racing(0.05);
        struct world world;
        tuning.ranks = STAR_RANKS_AHEAD;
        start(&world, 8, tuning, three_groups, base, 3);
        world.seconds = at_the_root;
        world.seed = (uint64_t)seed;
        run(&world, 40000);
        all += (double)world.calls_of[1] / (double)world.calls / trials(10, 3);
        finish(&world);
    }
    assert_true(all < 0.3); /* it takes a third longer than native in the mean */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_with_long_calls_is_left),
        cmocka_unit_test(native_with_long_calls_is_left),
        cmocka_unit_test(rare_long_calls_are_not_looked_for_for_ever),
        cmocka_unit_test(noise_is_held_against_nobody),
        cmocka_unit_test(long_calls_of_one_rank_count_as_they_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
