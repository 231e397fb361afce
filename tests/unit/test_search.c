/* SPDX-License-Identifier: BSD-3-Clause
 * The search over a made-up cluster whose times are known. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "made_up.h"
#include "map/choose.h"
#include "map/map.h"
#include "search/expect.h"
#include "search/guidelines.h"
#include "search/search.h"
#include "search/ties.h"
#include "util/why.h"

#include <math.h>

static const struct star_grid papers = {
    .operation = {[STAR_ALLTOALL] = true},
    .ranks = {2, 4, 8, 16, 32},
    .communicators = 5,
    .bytes = {1, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144},
    .sizes = 12,
    .element = 8};

struct trial {
    struct made_up world;
    struct star_meter meter;
    struct star_search search;
};

static void prepare(struct trial *trial, const struct star_grid *grid, int methods, uint64_t seed, bool prune)
{
    make_up(&trial->world, methods, seed);
    trial->meter = made_up_meter(&trial->world);
    trial->search = (struct star_search){.map = star_map_new(),
                                         .grid = grid,
                                         .rules = {prune, 30, 0.05, INFINITY, 0.01},
                                         .meter = &trial->meter,
                                         .seed = seed};
    assert_non_null(trial->search.map);
}

static void search(struct trial *trial)
{
    struct star_why why;
    if (star_search_run(&trial->search, &why))
        fail_msg("%s", why.text);
}

/* Of the map's winners, against the best that there is: the mean over all points of the grid. */
static double penalty(const struct trial *trial)
{
    const struct star_map_operation *of = &trial->search.map->of[STAR_ALLTOALL];
    double sum = 0;
    for (int i = 0; i < of->points; i++) {
        const struct star_map_point *point = &of->point[i];
        int winner = number_of(&trial->world, star_map_winner(of, point));
        sum += truth(&trial->world, winner, point->ranks, point->bytes) /
                   best_truth(&trial->world, point->ranks, point->bytes) -
               1;
    }
    return sum / of->points;
}

/* The goal: a fifth of the exhaustive search's time, and 2 % of penalty, at little and at much noise. */
static void pruning_takes_a_fifth_of_the_time_and_costs_two_percent_at_most(void **state)
{
    const double noises[] = {0.02, 0.06, 0.15};
    (void)state;
    for (int seed = 1; seed <= trials(6, 1); seed++)
        for (int i = 0; i < 3; i++) {
            struct trial all, some;
            prepare(&all, &papers, 40, (uint64_t)seed, false);
            prepare(&some, &papers, 40, (uint64_t)seed, true);
            all.world.noise = some.world.noise = noises[i];
            search(&all);
            search(&some);
            assert_int_equal(some.search.map->of[STAR_ALLTOALL].points, 60);
            assert_true(some.world.clock * 5 <= all.world.clock);
            assert_true(penalty(&some) <= 0.02);
            star_map_free(all.search.map);
            star_map_free(some.search.map);
        }
}

static void each_method_is_measured_at_each_point_of_an_exhaustive_search(void **state)
{
    struct trial trial;
    (void)state;
    prepare(&trial, &papers, 10, 1, false);
    search(&trial);
    const struct star_map_operation *of = &trial.search.map->of[STAR_ALLTOALL];
    assert_int_equal(of->points, 60);
    for (int i = 0; i < of->points; i++) {
        assert_int_equal(of->point[i].timings, 10);
        for (int j = 0; j < 10; j++)
            assert_true(of->point[i].timing[j].count >= 6);
    }
    star_map_free(trial.search.map);
}

/* Two methods, T = 10.00585 µs + n·1 ns and T = 1 µs + n·1.9 ns: equal at 10006.5 bytes. Without noise that
 * is found to the byte. */
static void cross(struct made_up *world)
{
    world->noise = world->spikes = 0;
    for (int j = 0; j < 2; j++) {
        world->start[j] = j == 0 ? 10.00585e-6 : 1e-6;
        world->byte[j] = j == 0 ? 1e-9 : 1.9e-9;
        world->steps[j] = world->volume[j] = 0;
        world->jump[j] = 1;
    }
}

static void a_crossover_is_found_to_the_byte(void **state)
{
    static const struct star_grid grid = {.operation = {[STAR_ALLTOALL] = true},
                                          .ranks = {8},
                                          .communicators = 1,
                                          .bytes = {1, 1024, 8192, 16384, 65536},
                                          .sizes = 5,
                                          .element = 8};
    struct trial trial;
    (void)state;
    prepare(&trial, &grid, 2, 1, true);
    cross(&trial.world);
    trial.search.crossovers = true;
    search(&trial);
    for (int64_t bytes = 1; bytes<65536; bytes += bytes> 9990 && bytes < 10010 ? 1 : 7) {
        const struct star_method *method = star_map_choose(trial.search.map, STAR_ALLTOALL, 8, bytes);
        assert_int_equal(number_of(&trial.world, method), bytes > 10006 ? 0 : 1);
    }
    const struct star_map_operation *of = &trial.search.map->of[STAR_ALLTOALL];
    assert_in_range(of->points, 5 + 10, 5 + 14); /* 8192 halved */
    for (int i = 0; i < of->points; i++)
        if (of->point[i].searched)
            assert_in_range(of->point[i].bytes, 8193, 16383);
    star_map_free(trial.search.map);
}

/* With noise the search ends where the two cannot be told apart: near 10006 bytes. */
static void a_search_for_a_crossover_ends_in_a_tie(void **state)
{
    static const struct star_grid grid = {.operation = {[STAR_ALLTOALL] = true},
                                          .ranks = {8},
                                          .communicators = 1,
                                          .bytes = {1024, 65536},
                                          .sizes = 2,
                                          .element = 8};
    (void)state;
    for (int seed = 1; seed <= trials(20, 3); seed++) {
        struct trial trial;
        prepare(&trial, &grid, 2, (uint64_t)seed, true);
        cross(&trial.world);
        trial.world.noise = 0.05;
        trial.search.crossovers = true;
        search(&trial);
        for (int64_t bytes = 1024; bytes <= 65536; bytes += 512) {
            int method = number_of(&trial.world, star_map_choose(trial.search.map, STAR_ALLTOALL, 8, bytes));
            double lost = truth(&trial.world, method, 8, bytes) / best_truth(&trial.world, 8, bytes) - 1;
            assert_true(lost < 0.15);
        }
        assert_in_range(trial.search.map->of[STAR_ALLTOALL].points, 3, 2 + 17);
        star_map_free(trial.search.map);
    }
}

/* It has two methods only until then. */
static void a_point_of_a_crossover_is_measured_whole_when_a_grid_asks_for_it(void **state)
{
    static const struct star_grid grid = {.operation = {[STAR_ALLTOALL] = true},
                                          .ranks = {8},
                                          .communicators = 1,
                                          .bytes = {1024, 65536},
                                          .sizes = 2,
                                          .element = 8};
    struct star_grid finer = grid;
    struct trial trial;
    (void)state;
    prepare(&trial, &grid, 6, 1, false);
    cross(&trial.world);
    for (int j = 2; j < 6; j++)
        trial.world.start[j] = trial.world.byte[j] = 1;
    trial.search.crossovers = true;
    search(&trial);
    struct star_map_point *point = star_map_find(trial.search.map, STAR_ALLTOALL, 8, 33280);
    assert_true(point && point->searched && point->timings == 2);
    finer.bytes[1] = 33280;
    finer.bytes[finer.sizes++] = 65536;
    trial.search.grid = &finer;
    search(&trial);
    point = star_map_find(trial.search.map, STAR_ALLTOALL, 8, 33280);
    assert_true(point && !point->searched && point->timings == 6);
    star_map_free(trial.search.map);
}

static void sizes_between_are_whole_elements(void **state)
{
    const struct star_map_timing one = {.method = 0}, other = {.method = 1};
    struct star_map_point below = {
        .ranks = 4, .bytes = 8, .timing = (struct star_map_timing *)&one, .timings = 1};
    struct star_map_point above = {
        .ranks = 4, .bytes = 64, .timing = (struct star_map_timing *)&other, .timings = 1};
    (void)state;
    assert_int_equal(star_crossover_next(&below, &above, 8), 32);
    above.bytes = 32;
    assert_int_equal(star_crossover_next(&below, &above, 8), 16);
    above.bytes = 16;
    assert_int_equal(star_crossover_next(&below, &above, 8), 0);
    assert_int_equal(star_crossover_next(&below, &above, 1), 12);
    above.ranks = 5;
    assert_int_equal(star_crossover_next(&below, &above, 1), 0);
}

static void the_ends_come_before_what_lies_between(void **state)
{
    int order[12];
    bool seen[12] = {false};
    (void)state;
    star_search_order(order, 12);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 11);
    for (int i = 0; i < 12; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    star_search_order(order, 1);
    assert_int_equal(order[0], 0);
    star_search_order(order, 2);
    assert_true(order[0] == 0 && order[1] == 1);
}

static void when_the_time_is_over_whole_points_remain(void **state)
{
    static const struct star_grid grid = {.operation = {[STAR_ALLTOALL] = true},
                                          .ranks = {4, 8},
                                          .communicators = 2,
                                          .bytes = {1, 64, 256, 1024, 2048},
                                          .sizes = 5,
                                          .element = 8};
    struct trial trial;
    (void)state;
    prepare(&trial, &grid, 40, 1, false);
    search(&trial);
    double all = trial.world.clock;
    star_map_free(trial.search.map);
    prepare(&trial, &grid, 40, 1, false);
    trial.world.ends = all / 2;
    search(&trial);
    const struct star_map_operation *of = &trial.search.map->of[STAR_ALLTOALL];
    assert_in_range(of->points, 2, 8);
    for (int i = 0; i < of->points; i++)
        for (int j = 0; j < of->point[i].timings; j++)
            assert_true(of->point[i].timing[j].count >= 6);
    assert_true(trial.world.clock < all * 0.6);

    /* Going on from there measures the rest, and nothing again. */
    int before = of->points, runs = trial.world.runs;
    trial.world.ends = INFINITY;
    search(&trial);
    assert_int_equal(of->points, 10);
    assert_true(before < 10 && trial.world.runs > runs);
    runs = trial.world.runs;
    search(&trial);
    assert_int_equal(trial.world.runs, runs);
    star_map_free(trial.search.map);
}

/* They were taken for measured. */
static void points_that_cannot_be_measured_are_counted(void **state)
{
    struct trial trial;
    (void)state;
    prepare(&trial, &papers, 5, 1, true);
    search(&trial);
    assert_int_equal(trial.search.left_out, 0);
    star_map_free(trial.search.map);
    prepare(&trial, &papers, 5, 1, true);
    trial.world.most = 65536; /* of each communicator two sizes are more */
    search(&trial);
    assert_int_equal(trial.search.left_out, 10);
    assert_int_equal(trial.search.done, 60);
    assert_int_equal(trial.search.map->of[STAR_ALLTOALL].points, 50);
    star_map_free(trial.search.map);
}

static void a_wrong_method_never_wins_and_is_not_in_the_map(void **state)
{
    struct trial trial;
    (void)state;
    prepare(&trial, &papers, 5, 1, true);
    trial.world.wrong = 3;
    trial.world.start[3] = trial.world.byte[3] = 0;
    search(&trial);
    const struct star_map_operation *of = &trial.search.map->of[STAR_ALLTOALL];
    for (int i = 0; i < of->points; i++)
        for (int j = 0; j < of->point[i].timings; j++)
            assert_int_not_equal(number_of(&trial.world, &of->method[of->point[i].timing[j].method]), 3);
    star_map_free(trial.search.map);
}

/* A point at which all that was measured of METHOD is SECONDS, COUNT times. */
static void put(struct star_map *map, int ranks, int64_t bytes, const struct star_method *method,
                double seconds, int count)
{
    struct star_map_timing *timing =
        star_map_timing(star_map_point(map, STAR_ALLTOALL, ranks, bytes), star_map_method(map, method));
    for (int i = 0; i < count; i++) {
        double sample = seconds * (1 + 0.001 * i);
        assert_int_equal(star_map_add_samples(timing, &sample, 1), 0);
    }
}

static void neighbours_say_what_a_method_takes_at_least(void **state)
{
    struct made_up world;
    struct star_map *map = star_map_new();
    (void)state;
    make_up(&world, 2, 1);
    const struct star_method *fast = &world.method[0], *slow = &world.method[1];
    put(map, 8, 1024, fast, 1e-3, 6);
    put(map, 8, 1024, slow, 8e-3, 6);
    int number = star_map_method(map, slow);
    assert_float_equal(star_hope_of(map, STAR_ALLTOALL, 8, 2048, number), 4, 0.02);  /* 8 over 2048/1024 */
    assert_float_equal(star_hope_of(map, STAR_ALLTOALL, 8, 64, number), 0.5, 0.02);  /* 8 over 1024/64 */
    assert_float_equal(star_hope_of(map, STAR_ALLTOALL, 16, 1024, number), 2, 0.02); /* 8 over (16/8)² */
    assert_true(star_hope_of(map, STAR_ALLTOALL, 16, 2048, number) == 0);
    /* Between two sizes: 0.5·(8 + 24) ms over 0.5·(1 + 3) ms, less because they lie 2 doublings apart. */
    put(map, 8, 4096, fast, 3e-3, 6);
    put(map, 8, 4096, slow, 24e-3, 6);
    assert_float_equal(star_hope_of(map, STAR_ALLTOALL, 8, 2560, number), 8 / 1.25, 0.05);
    star_map_free(map);
}

static void a_single_run_counts_half(void **state)
{
    struct made_up world;
    struct star_map *map = star_map_new();
    (void)state;
    make_up(&world, 2, 1);
    put(map, 8, 1024, &world.method[0], 1e-3, 6);
    put(map, 8, 1024, &world.method[1], 8e-3, 1);
    assert_float_equal(star_hope_of(map, STAR_ALLTOALL, 8, 2048, star_map_method(map, &world.method[1])), 2,
                       0.02);
    star_map_free(map);
}

/* Three sizes: the middle one's winner ties with who wins on both sides. */
static void a_tie_goes_to_who_wins_next_door(void **state)
{
    const int64_t sizes[] = {1024, 2048, 4096};
    struct made_up world;
    struct star_map *map = star_map_new();
    const bool in[] = {true, true};
    (void)state;
    make_up(&world, 2, 1);
    for (int i = 0; i < 3; i++) {
        put(map, 8, sizes[i], &world.method[0], i == 1 ? 1.001 : 1, 8);
        put(map, 8, sizes[i], &world.method[1], i == 1 ? 1 : 2, 8);
        star_ties_find(star_map_find(map, STAR_ALLTOALL, 8, sizes[i]), in);
    }
    struct star_map_point *middle = star_map_find(map, STAR_ALLTOALL, 8, 2048);
    assert_int_equal(middle->winner, 1);
    assert_true(middle->timing[0].tied);
    star_ties_smooth(map, STAR_ALLTOALL, 0.0001); /* too far behind for so little */
    assert_int_equal(middle->winner, 1);
    star_ties_smooth(map, STAR_ALLTOALL, 0.05);
    assert_int_equal(middle->winner, 0);
    assert_true(middle->timing[1].tied && !middle->timing[0].tied);
    star_map_free(map);
}

static void who_is_slower_for_certain_does_not_tie(void **state)
{
    struct made_up world;
    struct star_map *map = star_map_new();
    const bool in[] = {true, true, true};
    (void)state;
    make_up(&world, 3, 1);
    put(map, 8, 64, &world.method[0], 1, 8);
    put(map, 8, 64, &world.method[1], 1.01, 8); /* beyond the 0.7 % by which samples differ */
    put(map, 8, 64, &world.method[2], 1, 2);    /* too few to say */
    struct star_map_point *point = star_map_find(map, STAR_ALLTOALL, 8, 64);
    star_ties_find(point, (const bool[]){true, true, false});
    assert_int_equal(point->winner, 0);
    assert_false(point->timing[1].tied);
    assert_false(point->timing[2].tied);
    star_ties_find(point, in);
    star_map_free(map);
}

static int note(const struct star_violation *violation, void *context)
{
    struct star_violation *notes = context;
    notes[notes[0].ranks++ + 1] = *violation;
    return 0;
}

static void slower_than_a_mock_up_or_than_more_bytes_is_a_violation(void **state)
{
    struct star_map *map = star_map_new();
    struct star_method native = star_native_of(STAR_ALLTOALL), mockup;
    struct star_violation notes[8] = {{.ranks = 0}};
    (void)state;
    assert_int_equal(star_method_parse("alltoall:as_alltoallv", &mockup, NULL), 0);
    put(map, 8, 64, &native, 1e-3, 8);
    put(map, 8, 64, &mockup, 0.98e-3, 8); /* faster for certain, but not by much */
    put(map, 8, 128, &native, 3e-3, 8);
    put(map, 8, 128, &mockup, 1e-3, 8);
    put(map, 8, 256, &native, 2e-3, 8);
    put(map, 8, 256, &mockup, 1e-3, 2); /* too few to be certain */
    put(map, 16, 512, &native, 1e-3, 8);
    put(map, 8, 250, &native, 2e-3, 8);
    star_map_find(map, STAR_ALLTOALL, 8, 250)->searched = true; /* not of the grid */
    star_violations(map, STAR_ALLTOALL, note, notes);
    assert_int_equal(notes[0].ranks, 2);
    assert_true(notes[1].bytes == 128 && star_method_equal(notes[1].than, &mockup) && notes[1].ranks == 8);
    assert_true(notes[2].bytes == 128 && notes[2].than == NULL && notes[2].than_bytes == 256);
    star_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruning_takes_a_fifth_of_the_time_and_costs_two_percent_at_most),
        cmocka_unit_test(each_method_is_measured_at_each_point_of_an_exhaustive_search),
        cmocka_unit_test(a_crossover_is_found_to_the_byte),
        cmocka_unit_test(a_search_for_a_crossover_ends_in_a_tie),
        cmocka_unit_test(a_point_of_a_crossover_is_measured_whole_when_a_grid_asks_for_it),
        cmocka_unit_test(sizes_between_are_whole_elements),
        cmocka_unit_test(the_ends_come_before_what_lies_between),
        cmocka_unit_test(when_the_time_is_over_whole_points_remain),
        cmocka_unit_test(points_that_cannot_be_measured_are_counted),
        cmocka_unit_test(a_wrong_method_never_wins_and_is_not_in_the_map),
        cmocka_unit_test(neighbours_say_what_a_method_takes_at_least),
        cmocka_unit_test(a_single_run_counts_half),
        cmocka_unit_test(a_tie_goes_to_who_wins_next_door),
        cmocka_unit_test(who_is_slower_for_certain_does_not_tie),
        cmocka_unit_test(slower_than_a_mock_up_or_than_more_bytes_is_a_violation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
