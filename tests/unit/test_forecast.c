/* SPDX-License-Identifier: BSD-3-Clause
 * Which candidates the cost model would have measured, and in which order. */
#include "algorithms/forecast.h"
#include "algorithms/methods.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "planned.h"
#include "topology/network.h"
#include "trees.h"
#include "util/prospect.h"
#include "util/seconds.h"
#include "util/why.h"

#include <math.h>

static void expect_list(const double *seconds, int count, double most, const int16_t *expected, int kept)
{
    int16_t list[16];
    struct star_prospect each[16];
    for (int i = 0; i < count; i++)
        each[i] = (struct star_prospect){.seconds = seconds[i]};
    assert_int_equal(star_forecast_list(each, count, most, list), kept);
    for (int i = 0; i < kept; i++)
        assert_int_equal(list[i], expected[i]);
}

static void the_fastest_come_first_behind_native(void **state)
{
    (void)state;
    const double seconds[] = {STAR_UNKNOWN_SECONDS, 4, 2, 3, 1};
    const int16_t expected[] = {0, 4, 2, 3, 1};
    expect_list(seconds, 5, 0, expected, 5);
}

static void equals_stay_in_their_order(void **state)
{
    (void)state;
    const double seconds[] = {STAR_UNKNOWN_SECONDS, 2, 1, 2, 1, 2};
    const int16_t expected[] = {0, 2, 4, 1, 3, 5};
    expect_list(seconds, 6, 0, expected, 6);
}

static void what_is_not_predicted_follows_and_is_never_left_out(void **state)
{
    (void)state;
    const double seconds[] = {STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS, 9, STAR_UNKNOWN_SECONDS, 1};
    const int16_t ordered[] = {0, 4, 2, 1, 3}, pruned[] = {0, 4, 1, 3};
    expect_list(seconds, 5, 0, ordered, 5);
    expect_list(seconds, 5, 2, pruned, 4);
}

static void the_slow_are_left_out_beyond_the_bound_only(void **state)
{
    (void)state;
    const double seconds[] = {STAR_UNKNOWN_SECONDS, 3, 2, 1, 2.001};
    const int16_t expected[] = {0, 3, 2};
    expect_list(seconds, 5, 2, expected, 3);
}

static void the_first_stays_whatever_is_predicted_of_it(void **state)
{
    (void)state;
    const double seconds[] = {100, 1, 2};
    const int16_t expected[] = {0, 1};
    expect_list(seconds, 3, 1.5, expected, 2);
}

static void nothing_predicted_changes_nothing(void **state)
{
    (void)state;
    const double seconds[] = {STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS, STAR_UNKNOWN_SECONDS};
    const int16_t expected[] = {0, 1, 2};
    expect_list(seconds, 3, 2, expected, 3);
}

/* Candidates for eight ranks of which each has a machine, by turns on two switches. */
struct scene {
    struct star_methods candidates;
    struct star_network *network;
    struct star_shape shape;
    struct star_forecast_terms terms;
    struct star_prospect each[8];
};

/* Nothing but bytes on links costs. */
static const struct star_cost_parameters bare = {.framing = 1, .host = 1e6, .eager = 1 << 20, .block = 1};

static void set_up(struct scene *scene, const char *text, double patience)
{
    struct star_why why;
    struct tree tree = {.nodes = 0};
    int above = add_node(&tree, -1, false, 0), below = add_node(&tree, above, false, mbps(1));
    for (int r = 0; r < 8; r++)
        add_ranks(&tree, add_node(&tree, r % 2 ? below : above, true, mbps(1)), 1);
    scene->network = network_of(&tree);
    assert_int_equal(star_methods_parse(text, &scene->candidates, &why), 0);
    scene->shape = shape_of(8, 3, 1000);
    scene->shape.network = scene->network;
    scene->terms =
        (struct star_forecast_terms){.parameters = bare, .temp_limit = INT64_MAX, .patience = patience};
}

static bool forecast(struct scene *scene)
{
    for (int i = 0; i < scene->candidates.count; i++)
        scene->each[i] = STAR_NO_PROSPECT;
    return star_forecast(&scene->candidates, &scene->shape, &scene->terms, scene->each);
}

static void tear_down(struct scene *scene)
{
    star_methods_free(&scene->candidates);
    star_network_free(scene->network);
}

/* Ranks by turns: each round of a ring has four messages each way over the trunk, in the network's order one;
 * seven rounds of 1,000 bytes at a million a second. */
static void rings_are_predicted_by_their_links(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "allgather:native allgather:neighbor_ring allgather:neighbor_ring,order=dfs", 10);
    forecast(&scene);
    assert_false(star_is_known(scene.each[0].seconds));
    assert_float_equal(scene.each[1].seconds, 28e-3, 1e-9);
    assert_float_equal(scene.each[2].seconds, 7e-3, 1e-9);
    tear_down(&scene);
}

static void plans_in_units_are_not_predicted(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "alltoallv:ring", 10);
    scene.shape.units = true;
    forecast(&scene);
    assert_false(star_is_known(scene.each[0].seconds));
    tear_down(&scene);
}

static void without_patience_nothing_is_predicted(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "allgather:native allgather:neighbor_ring allgather:simple", 1e-9);
    assert_false(forecast(&scene));
    for (int i = 0; i < 3; i++)
        assert_false(star_is_known(scene.each[i].seconds));
    tear_down(&scene);
}

static void what_is_known_already_is_not_predicted_again(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "allgather:native allgather:neighbor_ring allgather:simple", 10);
    assert_true(forecast(&scene)); /* native has no plan, however much time there is */
    double other = scene.each[2].seconds;
    scene.each[1].seconds = 7;
    scene.each[2].seconds = STAR_UNKNOWN_SECONDS;
    assert_true(star_forecast(&scene.candidates, &scene.shape, &scene.terms, scene.each));
    assert_true(scene.each[1].seconds == 7 && scene.each[2].seconds == other &&
                !star_is_known(scene.each[0].seconds));
    tear_down(&scene);
}

static void what_needs_more_memory_than_allowed_is_not_predicted(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "allgather:native allgather:bruck allgather:ring", 10);
    scene.terms.temp_limit = 0;
    forecast(&scene);
    assert_false(star_is_known(scene.each[1].seconds));
    assert_true(star_is_known(scene.each[2].seconds));
    tear_down(&scene);
}

/* A plan in pieces of a byte takes 13 MB, and those of eight ranks more than the 64 MB that one may. */
static void plans_that_need_too_much_memory_together_are_not_predicted(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene, "alltoall:native alltoall:ring,segment=1 alltoall:ring", 600);
    scene.shape.block = 7500;
    scene.terms.temp_limit = 0;
    forecast(&scene);
    assert_false(star_is_known(scene.each[1].seconds));
    assert_true(star_is_known(scene.each[2].seconds));
    tear_down(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_come_first_behind_native),
        cmocka_unit_test(equals_stay_in_their_order),
        cmocka_unit_test(what_is_not_predicted_follows_and_is_never_left_out),
        cmocka_unit_test(the_slow_are_left_out_beyond_the_bound_only),
        cmocka_unit_test(the_first_stays_whatever_is_predicted_of_it),
        cmocka_unit_test(nothing_predicted_changes_nothing),
        cmocka_unit_test(rings_are_predicted_by_their_links),
        cmocka_unit_test(plans_in_units_are_not_predicted),
        cmocka_unit_test(without_patience_nothing_is_predicted),
        cmocka_unit_test(what_is_known_already_is_not_predicted_again),
        cmocka_unit_test(what_needs_more_memory_than_allowed_is_not_predicted),
        cmocka_unit_test(plans_that_need_too_much_memory_together_are_not_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
