/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoders/rivals.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "map/axis.h"
#include "map/choose.h"
#include "map/grid.h"
#include "map/map.h"
#include "maps.h"
#include "noisy.h"
#include "util/why.h"

#include <stdio.h>

static const struct star_looseness exact = {.accuracy = 1};

static struct star_grid grid_of(const struct star_map *map)
{
    struct star_grid grid;
    struct star_why why = {{0}};
    if (star_grid_make(map, STAR_BCAST, &grid, &why))
        fail_msg("%s", why.text);
    return grid;
}

static const struct star_encoder *encoder_of(const char *name)
{
    for (int i = 0; i < bench_encoder_count; i++)
        if (strcmp(bench_encoders[i]->name, name) == 0)
            return bench_encoders[i];
    fail_msg("no encoder %s", name);
    return NULL;
}

static struct star_encoding encoded(const char *name, const struct star_grid *grid,
                                    const struct star_looseness *looseness)
{
    struct star_encoding encoding;
    struct star_why why = {{0}};
    if (star_encoding_make(encoder_of(name), grid, looseness, &encoding, &why))
        fail_msg("%s", why.text);
    return encoding;
}

static struct star_verdict judged(const struct star_encoding *encoding, const struct star_grid *grid)
{
    struct star_verdict verdict;
    assert_int_equal(star_encoding_judge(encoding, grid, &verdict), 0);
    return verdict;
}

static int leaves_of(const char *name, const struct star_grid *grid, const struct star_looseness *looseness)
{
    struct star_encoding encoding = encoded(name, grid, looseness);
    int leaves = star_encoding_form(&encoding)->leaves;
    star_encoding_free(&encoding);
    return leaves;
}

/* A map from a picture: a letter a cell, a line a communicator size from 2 on, a column a power of two from 1
 * on. The letter's method takes 1 s, each other one 2 s. */
static struct star_map *pictured(const char *picture)
{
    static const char *const methods[] = {"bcast:linear", "bcast:binomial", "bcast:chain", "bcast:native"};
    struct star_map *map = star_map_new();
    int ranks = 2, column = 0;
    for (const char *c = picture; *c; c++) {
        if (*c == '\n') {
            ranks++;
            column = 0;
            continue;
        }
        for (int i = 0; i < 4; i++)
            map_measure(map, methods[i], ranks, (int64_t)1 << column, i == *c - 'a' ? 1 : 2);
        column++;
    }
    return map;
}

static void exact_encodings_answer_as_the_map_does(void **state)
{
    (void)state;
    static const struct {
        int rows, columns;
    } sizes[] = {{27, 48}, {1, 1}, {1, 9}, {7, 1}, {5, 3}, {16, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct star_map *map =
            noisy_map(sizes[i].rows, sizes[i].columns == 1 ? 2 : sizes[i].columns, 0.05, 1 + i);
        struct star_grid grid = grid_of(map);
        for (int j = 0; j < bench_encoder_count; j++) {
            struct star_encoding encoding = encoded(bench_encoders[j]->name, &grid, &exact);
            struct star_verdict verdict = judged(&encoding, &grid);
            if (verdict.differs != 0 || verdict.most != 0 || verdict.cells != grid.rows * grid.columns)
                fail_msg("%s: %d of %d differ", bench_encoders[j]->name, verdict.differs, verdict.cells);
            star_encoding_free(&encoding);
        }
        star_grid_free(&grid);
        star_map_free(map);
    }
}

/* Between and beyond the points, too: a full map has no holes that could be filled in another way. */
static void exact_encodings_choose_the_nearest_by_ratio(void **state)
{
    (void)state;
    struct star_map *map = noisy_map(9, 20, 0.3, 5);
    struct star_grid grid = grid_of(map);
    uint64_t seed = 3;
    for (int j = 0; j < bench_encoder_count; j++) {
        struct star_encoding encoding = encoded(bench_encoders[j]->name, &grid, &exact);
        for (int i = 0; i < 20000; i++) {
            int ranks = 1 + (int)random_below(&seed, 14);
            int64_t bytes = (int64_t)(random_next(&seed) >> (1 + random_below(&seed, 63)));
            const struct star_method *method =
                &grid.of->method[star_encoding_choose(&encoding, ranks, bytes)];
            if (method != star_map_choose(map, STAR_BCAST, ranks, bytes) &&
                strcmp(bench_encoders[j]->name, "powers") !=
                    0) /* whose nearest size is one of its own kind */
                fail_msg("%s: %d ranks, %lld bytes", bench_encoders[j]->name, ranks, (long long)bytes);
        }
        star_encoding_free(&encoding);
    }
    star_grid_free(&grid);
    star_map_free(map);
}

/* Rows whose points lie at different bytes. */
static struct star_map *ragged_map(void)
{
    struct star_map *map = noisy_map(9, 20, 0.3, 5);
    struct star_map_operation *of = &map->of[STAR_BCAST];
    uint64_t seed = 8;
    for (int i = of->points - 1; i >= 0; i--)
        if (random_below(&seed, 4) > 0)
            star_map_drop(map, STAR_BCAST, &of->point[i]);
    return map;
}

static void an_exact_grid_chooses_as_the_map_does_where_its_rows_differ(void **state)
{
    (void)state;
    struct star_map *map = ragged_map();
    struct star_grid grid;
    uint64_t seed = 3;
    assert_int_equal(star_grid_make_exact(map, STAR_BCAST, &grid, NULL), 0);
    struct star_encoding table = encoded("table", &grid, &exact), runs = encoded("runs", &grid, &exact);
    for (int i = 0; i < 50000; i++) {
        int ranks = 1 + (int)random_below(&seed, 14);
        int64_t bytes = (int64_t)(random_next(&seed) >> (1 + random_below(&seed, 63)));
        const struct star_method *method = star_map_choose(map, STAR_BCAST, ranks, bytes);
        assert_ptr_equal(&grid.of->method[star_encoding_choose(&table, ranks, bytes)], method);
        assert_ptr_equal(&grid.of->method[star_encoding_choose(&runs, ranks, bytes)], method);
    }
    star_encoding_free(&table);
    star_encoding_free(&runs);
    star_grid_free(&grid);
    star_map_free(map);
}

static void the_published_leaves_come_out_for_the_published_size(void **state)
{
    (void)state;
    /* Table 2 has 4, 16 and 58 leaves for up to three levels of a map of 25 × 48 without order, and a mean
     * depth of 2.9655 then: the last six columns of blocks and rows repeat. */
    static const int leaves[] = {4, 16, 58};
    struct star_map *map = noisy_map(25, 48, 3, 1);
    struct star_grid grid = grid_of(map);
    for (int depth = 1; depth <= 3; depth++) {
        struct star_looseness looseness = {.max_depth = depth, .accuracy = 1};
        struct star_encoding encoding = encoded("quadtree", &grid, &looseness);
        const struct star_form *form = star_encoding_form(&encoding);
        assert_int_equal(form->leaves, leaves[depth - 1]);
        assert_int_equal(form->depth_most, depth);
        if (depth == 3)
            assert_true(form->depth_least == 2 && fabs(form->depth_mean - 2.9655) < 0.0001);
        star_encoding_free(&encoding);
    }
    star_grid_free(&grid);
    star_map_free(map);
}

static void a_quadtree_parts_only_what_is_mixed(void **state)
{
    (void)state;
    struct star_map *map = pictured("aabb\naabb\ncdaa\nccaa\n");
    struct star_grid grid = grid_of(map);
    assert_int_equal(leaves_of("quadtree", &grid, &exact),
                     7); /* three quarters, and four cells of the fourth */
    struct star_looseness loose = {.accuracy = 0.75};
    assert_int_equal(leaves_of("quadtree", &grid, &loose), 4); /* three of four are c */
    loose.accuracy = 0.76;
    assert_int_equal(leaves_of("quadtree", &grid, &loose), 7);
    loose.accuracy = 0.5; /* of 16 cells, 8 are a */
    assert_int_equal(leaves_of("quadtree", &grid, &loose), 1);
    struct star_looseness shallow = {.accuracy = 1, .max_depth = 1};
    struct star_encoding encoding = encoded("quadtree", &grid, &shallow);
    struct star_verdict verdict = judged(&encoding, &grid);
    assert_int_equal(verdict.differs, 1); /* the d, at twice the time */
    assert_true(verdict.most == 1 && verdict.mean == 1.0 / 16 && verdict.median == 0 && verdict.least == 0);
    star_encoding_free(&encoding);
    star_grid_free(&grid);
    star_map_free(map);
}

static void powers_of_two_have_their_own_tree(void **state)
{
    (void)state;
    /* 2, 4 and 8 ranks: b */
    struct star_map *map =
        pictured("bbbbbbbb\naaaaaaaa\nbbbbbbbb\naaaaaaaa\naaaaaaaa\naaaaaaaa\nbbbbbbbb\naaaaaaaa\n");
    struct star_grid grid = grid_of(map);
    assert_int_equal(leaves_of("powers", &grid, &exact), 2);
    assert_true(leaves_of("linear", &grid, &exact) > 16);
    assert_int_equal(leaves_of("cart", &grid, &exact), 2);
    assert_int_equal(leaves_of("runs", &grid, &exact), 6); /* 2, 3, 4, 5 to 7, 8, 9 */
    struct star_encoding encoding = encoded("powers", &grid, &exact);
    const struct star_method *far = &grid.of->method[star_encoding_choose(&encoding, 64, 3)];
    assert_string_equal(far->algorithm->name, "binomial");
    star_encoding_free(&encoding);
    star_grid_free(&grid);
    star_map_free(map);
}

static void a_decision_tree_parts_what_one_question_does_not_better(void **state)
{
    (void)state;
    struct star_map *map = pictured("ab\nba\n");
    struct star_grid grid = grid_of(map);
    assert_int_equal(leaves_of("cart", &grid, &exact), 4); /* the first question alone gains nothing */
    star_grid_free(&grid);
    star_map_free(map);
    map = pictured("aaaabbbb\naaaabbbb\nccccbbbb\nccccbbbb\n");
    grid = grid_of(map);
    assert_int_equal(leaves_of("cart", &grid, &exact), 3);
    star_grid_free(&grid);
    star_map_free(map);
}

static void a_decision_tree_stops_at_the_penalty_asked_for(void **state)
{
    (void)state;
    struct star_map *map = noisy_map(27, 48, 0.05, 1);
    struct star_grid grid = grid_of(map);
    static const double goals[] = {0.3, 0.1, 0.02, 0};
    int before = 0;
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct star_looseness looseness = {.accuracy = 1, .penalty = goals[i]};
        struct star_encoding encoding = encoded("cart", &grid, &looseness);
        assert_true(judged(&encoding, &grid).mean <= goals[i] + 1e-9);
        assert_true(star_encoding_form(&encoding)->leaves >= before);
        before = star_encoding_form(&encoding)->leaves;
        star_encoding_free(&encoding);
    }
    assert_true(before > 8);
    star_grid_free(&grid);
    star_map_free(map);
}

static void what_is_used_often_keeps_its_method(void **state)
{
    (void)state;
    struct star_map *map = pictured("aaaa\naaaa\naaaa\naaba\n");
    struct star_grid grid = grid_of(map);
    struct star_looseness flat = {.accuracy = 0.9, .max_depth = 1};
    assert_int_equal(leaves_of("quadtree", &grid, &flat), 1);
    star_grid_weigh(&grid, 5, 4, 20);
    struct star_encoding encoding = encoded("quadtree", &grid, &flat);
    assert_string_equal(grid.of->method[star_encoding_choose(&encoding, 5, 4)].algorithm->name, "binomial");
    assert_true(judged(&encoding, &grid).mean <
                4.0 / 36); /* three of the quarter, at twice the time, of 36 */
    star_encoding_free(&encoding);
    star_grid_free(&grid);
    star_map_free(map);
}

static void holes_take_what_their_neighbours_agree_on(void **state)
{
    (void)state;
    struct star_map *map = pictured("aabb\nbbbb\n");
    star_map_drop(map, STAR_BCAST, star_map_find(map, STAR_BCAST, 2, 2));
    map_measure(map, "bcast:linear", 2, 3, 1);
    map_measure(map, "bcast:chain", 2, 3, 2);
    struct star_grid grid = grid_of(map); /* columns 1, 2, 3, 4, 8 */
    assert_int_equal(grid.columns, 5);
    int hole = star_grid_cell(&grid, 0, 1);
    assert_false(grid.measured[hole]);
    assert_string_equal(grid.of->method[grid.winner[hole]].algorithm->name, "linear");
    assert_false(grid.measured[star_grid_cell(&grid, 1, 2)]);
    assert_true(star_grid_seconds(&grid, hole, 0) == 1); /* linear takes 1 s at 1 and at 3 bytes */
    star_grid_free(&grid);
    star_map_free(map);
}

static void a_method_that_does_not_work_there_costs_what_native_does(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    static const char *const names[] = {"alltoall:native", "alltoall:pair", "alltoall:ring"};
    for (int ranks = 4; ranks <= 6; ranks++)
        for (int i = 0; i < 3; i++)
            if (i != 1 || ranks == 4)
                map_measure(map, names[i], ranks, 8, 3 - i + (ranks > 4) * 3 * (i - 1));
    struct star_grid grid;
    assert_int_equal(star_grid_make(map, STAR_ALLTOALL, &grid, NULL), 0);
    int cell = star_grid_cell(&grid, 1, 0); /* 5 ranks: native 0 s … */
    assert_true(star_grid_seconds(&grid, cell, 1) == star_grid_seconds(&grid, cell, 0));
    star_grid_free(&grid);
    star_map_free(map);
}

static void an_axis_finds_the_nearest_place(void **state)
{
    (void)state;
    static const int64_t few[] = {0, 1, 2, 3, 1535, 1536, 1537, 1 << 20, INT64_MAX / 4, INT64_MAX / 2};
    enum { FEW = sizeof few / sizeof *few };
    struct star_axis axis;
    uint64_t seed = 9;
    for (int count = 1; count <= FEW; count++) {
        assert_int_equal(star_axis_make(few, count, &axis), 0);
        for (int i = 0; i < 20000; i++) {
            int64_t value = (int64_t)(random_next(&seed) >> (1 + random_below(&seed, 63)));
            value = i < 5000 ? i : value;
            int nearest = 0;
            while (nearest + 1 < count && !star_map_is_nearer(few[nearest], value, few[nearest + 1]))
                nearest++;
            if (star_axis_place(&axis, value) != nearest)
                fail_msg("%d places: %lld is at %d, not %d", count, (long long)value,
                         star_axis_place(&axis, value), nearest);
        }
        assert_int_equal(star_axis_place(&axis, INT64_MAX), count - 1);
        star_axis_free(&axis);
    }
}

static void an_operation_that_is_not_in_the_map_is_named(void **state)
{
    (void)state;
    struct star_why why = {{0}};
    struct star_map *map = star_map_new();
    struct star_grid grid;
    assert_int_equal(star_grid_make(map, STAR_BCAST, &grid, &why), STAR_ENEEDS);
    expect_reason(&why, "bcast");
    star_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_encodings_answer_as_the_map_does),
        cmocka_unit_test(exact_encodings_choose_the_nearest_by_ratio),
        cmocka_unit_test(an_exact_grid_chooses_as_the_map_does_where_its_rows_differ),
        cmocka_unit_test(the_published_leaves_come_out_for_the_published_size),
        cmocka_unit_test(a_quadtree_parts_only_what_is_mixed),
        cmocka_unit_test(powers_of_two_have_their_own_tree),
        cmocka_unit_test(a_decision_tree_parts_what_one_question_does_not_better),
        cmocka_unit_test(a_decision_tree_stops_at_the_penalty_asked_for),
        cmocka_unit_test(what_is_used_often_keeps_its_method),
        cmocka_unit_test(holes_take_what_their_neighbours_agree_on),
        cmocka_unit_test(a_method_that_does_not_work_there_costs_what_native_does),
        cmocka_unit_test(an_axis_finds_the_nearest_place),
        cmocka_unit_test(an_operation_that_is_not_in_the_map_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
