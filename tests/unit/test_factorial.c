/* SPDX-License-Identifier: BSD-3-Clause
 * The 2^k factorial design. */
#include "grids.h"
#include "tuner/candidates.h"
#include "tuner/decision.h"
#include "tuner/tuning.h"

static struct star_tuning designing(double effect)
{
    struct star_tuning tuning = usual(STAR_FACTORIAL);
    tuning.effect = effect;
    return tuning;
}

/* By hand, after native: the eight corners of {0, 2} in each attribute. The worse values fall out, and the
 * eight corners of what is left hold one that is measured. Then one is left. */
static void independent_attributes_need_fewer_measurements_than_all(void **state)
{
    (void)state;
    struct grid grid;
    struct world world;
    make_grid(&grid, 3, 3, 3);
    for (int a = 0; a < 3; a++)
        multiply(&grid, a, 0, 3), multiply(&grid, a, 1, 2);
    start_grid(&world, 3, designing(0.05), &grid);
    assert_int_equal(run_to_choice(&world), (1 + 8 + 7) * 10);
    assert_int_equal(current(&world), at(&grid, 2, 2, 2));
    assert_int_equal(world.last.reason, STAR_SELECTED);
    finish(&world);
}

static void the_corners_come_after_native(void **state)
{
    (void)state;
    struct grid grid;
    struct world world;
    make_independent(&grid);
    start_grid(&world, 2, designing(0.05), &grid);
    assert_int_equal(current(&world), 0);
    assert_int_equal(run_to_decision(&world), 10);
    assert_int_equal(world.last.reason, STAR_COMPARED);
    assert_int_equal(world.last.count, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(world.last.list[i], at(&grid, i & 4 ? 2 : 0, i & 2 ? 2 : 0, i & 1 ? 2 : 0));
    finish(&world);
}

/* The levels multiply times by 8, 1.2 and 1.2: of the variation of logarithms, 2.08² + 0.18² + 0.18², they
 * explain 98.5 %, 0.8 % and 0.8 %. By hand, after native and the eight corners: 99 % is too much for any, and
 * the other four are measured too. Else one value of the first attribute falls out, and of what is left the
 * others explain half each. Where that is too little, the two that are not measured remain. Else one of them
 * does. At 0.5 % all three matter at once, and the same one is left. */
static void the_threshold_says_which_attributes_matter(void **state)
{
    (void)state;
    static const struct {
        double effect;
        int measured;
    } by_hand[] = {{0.99, 1 + 8 + 4}, {0.6, 1 + 8 + 2}, {0.4, 1 + 8 + 1}, {0.005, 1 + 8 + 1}};
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        struct grid grid;
        struct world world;
        make_grid(&grid, 2, 2, 3);
        multiply(&grid, 0, 0, 8);
        multiply(&grid, 1, 0, 1.2);
        multiply(&grid, 2, 2, 1.2), multiply(&grid, 2, 1, 1.1);
        start_grid(&world, 2, designing(by_hand[i].effect), &grid);
        run_to_choice(&world);
        assert_int_equal(measured(&world), by_hand[i].measured);
        assert_int_equal(current(&world), at(&grid, 1, 1, 0));
        finish(&world);
    }
}

/* Fast where the first two are equal: neither alone explains anything. */
static void attributes_that_matter_only_together_are_left_alone(void **state)
{
    (void)state;
    struct grid grid;
    struct world world;
    make_grid(&grid, 2, 2, 3);
    for (int i = 1; i < grid.count; i++)
        if (value_of(&grid, i, 0) != value_of(&grid, i, 1))
            grid.base[i] *= 3;
    multiply(&grid, 2, 0, 1.5), multiply(&grid, 2, 2, 2);
    start_grid(&world, 2, designing(0.05), &grid);
    run_to_choice(&world);
    assert_int_equal(world.base[current(&world)] * 1e6, 1000);
    finish(&world);
}

/* Value 0 of the first attribute is worse in three pairs of four, and in the fourth much better than all. */
static void the_fastest_corner_never_falls_out(void **state)
{
    (void)state;
    struct grid grid;
    struct world world;
    make_grid(&grid, 2, 2, 2);
    multiply(&grid, 0, 0, 8);
    grid.base[at(&grid, 0, 1, 1)] = 0.5e-3;
    start_grid(&world, 2, designing(0.05), &grid);
    run_to_choice(&world);
    assert_int_equal(current(&world), at(&grid, 0, 1, 1));
    finish(&world);
}

/* Two candidates have value 5, two 3, one each 0 and 9: the first corners are those of 3 and 5. */
static void levels_are_the_values_that_most_have(void **state)
{
    (void)state;
    static const int groups[] = {0, 1, 1, 1, 1, 1, 1};
    static const int16_t values[] = {-1, -1, 0, 0, 3, 0, 5, 0, 3, 1, 5, 1, 9, 1};
    static const struct star_traits traits = {2, values};
    struct world world;
    start_with_traits(&world, 2, designing(0.05), groups, &traits, seven_times, 7);
    run_to_decision(&world);
    assert_int_equal(world.last.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(world.last.list[i], 2 + i);
    finish(&world);
}

static void without_traits_all_are_measured(void **state)
{
    (void)state;
    expect_all_to_be_measured_without_traits(designing(0.05));
}

static void corners_do_without_those_that_cannot_be_run(void **state)
{
    (void)state;
    expect_to_do_without_those_that_cannot_be_run(designing(0.05));
}

static void the_second_best_takes_over_from_one_that_gets_slow(void **state)
{
    (void)state;
    struct grid grid;
    struct world world;
    make_independent(&grid);
    start_grid(&world, 2, designing(0.05), &grid);
    run_to_choice(&world);
    int before = current(&world);
    world.base[before] = 40e-3;
    run(&world, 200);
    assert_int_not_equal(current(&world), before);
    assert_true(world.base[current(&world)] < 2e-3);
    finish(&world);
}

static void the_best_of_independent_attributes_is_found(void **state)
{
    (void)state;
    expect_the_best_of_products(STAR_FACTORIAL, 0.95);
}

static void whatever_the_times_the_choice_is_sane(void **state)
{
    (void)state;
    expect_a_sane_choice_of_anything(STAR_FACTORIAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_attributes_need_fewer_measurements_than_all),
        cmocka_unit_test(the_corners_come_after_native),
        cmocka_unit_test(the_threshold_says_which_attributes_matter),
        cmocka_unit_test(attributes_that_matter_only_together_are_left_alone),
        cmocka_unit_test(the_fastest_corner_never_falls_out),
        cmocka_unit_test(levels_are_the_values_that_most_have),
        cmocka_unit_test(without_traits_all_are_measured),
        cmocka_unit_test(corners_do_without_those_that_cannot_be_run),
        cmocka_unit_test(the_second_best_takes_over_from_one_that_gets_slow),
        cmocka_unit_test(the_best_of_independent_attributes_is_found),
        cmocka_unit_test(whatever_the_times_the_choice_is_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
