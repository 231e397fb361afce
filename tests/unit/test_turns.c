/* SPDX-License-Identifier: BSD-3-Clause
 * Turns: ranks in step, each with times of its own, and what they tell each other a stretch late. */
#include "tuner/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 3, CALLS = 4000 };

struct rank {
    struct star_turns turns;
    struct star_turns_word mine;
    bool told;
    int64_t calls_of[STAR_TURNS_MOST], timed_of[STAR_TURNS_MOST];
};
struct world {
    struct rank ranks[RANKS];
    int count;
    int64_t took[STAR_TURNS_MOST]; /* nanoseconds of a call */
    int unable;                    /* this rank never has a plan for this candidate; */
    int unable_for;
    bool closes; /* or none at all */
    int64_t visits, stretches_told;
    double seconds;
};

static struct star_turns_word add_up(const struct world *world)
{
    struct star_turns_word sums = {0};
    for (int r = 0; r < RANKS; r++) {
        sums.unable += world->ranks[r].mine.unable;
        for (int i = 0; i < STAR_TURNS_MOST; i++) {
            sums.nanoseconds[i] += world->ranks[r].mine.nanoseconds[i];
            sums.measured[i] += world->ranks[r].mine.measured[i];
        }
    }
    return sums;
}

static void tell(struct world *world, int r)
{
    struct rank *rank = &world->ranks[r];
    rank->mine = (struct star_turns_word){0};
    for (int i = 0; i < world->count; i++)
        if (rank->timed_of[i] > 0) {
            rank->mine.nanoseconds[i] = world->took[i] + r;
            rank->mine.measured[i] = 1;
        }
    rank->mine.unable =
        (world->unable == r && rank->turns.next == world->unable_for) || (world->closes && r == 1);
    rank->told = true;
}

static void start(struct world *world, int count, const int64_t *took)
{
    static const struct star_turns_pace pace = {.before = 8, .length = 8, .visit = 3};
    *world = (struct world){.count = count, .unable = -1, .unable_for = STAR_TURN_NONE};
    memcpy(world->took, took, (size_t)count * sizeof *took);
    for (int r = 0; r < RANKS; r++)
        star_turns_begin(&world->ranks[r].turns, count, &pace);
}

/* Whatever it decides, all ranks run the same. */
static int step(struct world *world, int64_t call)
{
    int candidate = -1;
    if (star_turns_is_first(&world->ranks[0].turns, call)) {
        const struct star_turns_word sums = add_up(world);
        for (int r = 0; r < RANKS; r++) {
            struct rank *rank = &world->ranks[r];
            star_turns_end(&rank->turns, rank->told ? &sums : NULL, RANKS);
            rank->told = false;
        }
        world->visits += world->ranks[0].turns.visited != STAR_TURN_NONE;
        for (int r = 0; r < RANKS; r++)
            if (star_turns_tells(&world->ranks[r].turns))
                tell(world, r);
        world->stretches_told += world->ranks[0].told;
    }
    for (int r = 0; r < RANKS; r++) {
        bool timed;
        int own = star_turns_candidate(&world->ranks[r].turns, call, &timed);
        assert_true(r == 0 || own == candidate);
        candidate = own;
        world->ranks[r].calls_of[own]++;
        world->ranks[r].timed_of[own] += timed;
    }
    world->seconds += (double)world->took[candidate] * 1e-9;
    return candidate;
}

static int run(struct world *world, int64_t from, int64_t to)
{
    int candidate = 0;
    for (int64_t call = from; call < to; call++)
        candidate = step(world, call);
    return candidate;
}

static void native_runs_until_a_stretch_is_over(void **state)
{
    static const int64_t took[] = {1000, 500};
    struct world world;
    (void)state;
    start(&world, 2, took);
    for (int64_t call = 0; call < 3 * 8; call++)
        assert_int_equal(step(&world, call), 0);
}

static void what_is_faster_is_found_and_stays(void **state)
{
    static const int64_t took[] = {100000, 150000, 90000, 40000, 300000};
    struct world world;
    (void)state;
    start(&world, 5, took);
    assert_int_equal(run(&world, 0, CALLS), 3);
    assert_true(world.ranks[0].calls_of[3] > CALLS * 9 / 10);
    assert_true(world.ranks[0].calls_of[4] < 10);
}

static void what_is_slower_costs_little(void **state)
{
    static const int64_t took[] = {100000, 200000, 400000, 300000, 110000, 500000, 250000, 120000};
    struct world world;
    (void)state;
    for (int64_t calls = 50; calls <= CALLS; calls += 50) {
        start(&world, 8, took);
        run(&world, 0, calls);
        assert_true(world.ranks[0].turns.current == 0);
        /* The first visit is made on trust: its three calls take five times as long, at most. */
        assert_true(world.seconds < (double)calls * 1e-4 * 1.02 + 12e-4);
    }
    assert_true(world.stretches_told < CALLS / 8 / 4); /* where nothing is to be found, they are silent */
}

static void a_candidate_without_a_plan_on_one_rank_never_runs(void **state)
{
    static const int64_t took[] = {100000, 10000, 50000};
    struct world world;
    (void)state;
    start(&world, 3, took);
    world.unable = 2;
    world.unable_for = 1;
    assert_int_equal(run(&world, 0, CALLS), 2);
    assert_int_equal(world.ranks[0].calls_of[1], 0);
}

static void a_rank_that_can_do_nothing_ends_it_for_all(void **state)
{
    static const int64_t took[] = {100000, 10000};
    struct world world;
    (void)state;
    start(&world, 2, took);
    world.closes = true;
    star_turns_begin(&world.ranks[1].turns, 1,
                     &world.ranks[1].turns.pace); /* it does not even know how many */
    assert_int_equal(run(&world, 0, CALLS), 0);
    assert_int_equal(world.ranks[0].calls_of[1], 0);
    assert_int_equal(world.stretches_told, 1);
}

static void native_comes_back_when_it_is_faster_again(void **state)
{
    static const int64_t took[] = {100000, 50000};
    struct world world;
    (void)state;
    start(&world, 2, took);
    assert_int_equal(run(&world, 0, 1000), 1);
    world.took[1] = 150000;
    run(&world, 1000, 20000);
    assert_int_equal(world.ranks[0].turns.current, 0);
}

static void what_is_forced_runs_as_soon_as_all_can(void **state)
{
    static const int64_t took[] = {100000, 900000};
    struct world world;
    (void)state;
    start(&world, 2, took);
    for (int r = 0; r < RANKS; r++) {
        world.ranks[r].turns.forced = true;
        world.ranks[r].turns.count = 1; /* which one it is, is told at the end of the first stretch */
    }
    assert_int_equal(run(&world, 0, 2 * 8), 0);
    for (int r = 0; r < RANKS; r++)
        world.ranks[r].turns.count = 2;
    assert_int_equal(run(&world, 2 * 8, 4 * 8), 1);
    assert_int_equal(run(&world, 4 * 8, CALLS), 1);
    assert_true(world.ranks[0].calls_of[1] >= CALLS - 4 * 8);
    assert_true(world.stretches_told < 5);
}

static void all_take_turns_where_that_is_asked_for(void **state)
{
    static const int64_t took[] = {1, 1, 1, 1, 1};
    struct world world;
    (void)state;
    start(&world, 5, took);
    for (int r = 0; r < RANKS; r++)
        world.ranks[r].turns.rotates = true;
    run(&world, 0, CALLS);
    for (int i = 0; i < 5; i++)
        assert_true(world.ranks[0].calls_of[i] > CALLS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_runs_until_a_stretch_is_over),
        cmocka_unit_test(what_is_faster_is_found_and_stays),
        cmocka_unit_test(what_is_slower_costs_little),
        cmocka_unit_test(a_candidate_without_a_plan_on_one_rank_never_runs),
        cmocka_unit_test(a_rank_that_can_do_nothing_ends_it_for_all),
        cmocka_unit_test(native_comes_back_when_it_is_faster_again),
        cmocka_unit_test(what_is_forced_runs_as_soon_as_all_can),
        cmocka_unit_test(all_take_turns_where_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
