/* SPDX-License-Identifier: BSD-3-Clause
 * Which process is to be which rank, and what a topology of MPI says of who talks to whom. */
#include "expect.h"
#include "matrices.h"
#include "place/edges.h"
#include "place/reorder.h"
#include "util/random.h"

#include <stdlib.h>

/* Processes on machines, and an order of theirs. */
struct scene {
    struct star_topology *topology;
    int ranks, *machine, *order;
    struct star_reordered found;
};

static void open_scene(struct scene *scene, int ranks, int switches, int hosts)
{
    const int slots = 4;
    *scene = (struct scene){.ranks = ranks,
                            .topology = machine_of(switches, hosts, slots, 100, 100, false),
                            .machine = calloc((size_t)ranks, sizeof *scene->machine),
                            .order = calloc((size_t)ranks, sizeof *scene->order)};
    assert_non_null(scene->machine);
    assert_non_null(scene->order);
}

static void close_scene(struct scene *scene)
{
    star_topology_free(scene->topology);
    free(scene->machine);
    free(scene->order);
}

/* The first that are machines in turn; or anywhere. */
static void seat(struct scene *scene, uint64_t *random)
{
    for (int p = 0, node = 0; p < scene->ranks; p++) {
        do
            node = random != NULL ? (int)star_draw(random, (uint32_t)scene->topology->nodes)
                                  : (node + 1) % scene->topology->nodes;
        while (!scene->topology->node[node].machine);
        scene->machine[p] = node;
    }
}

static void reorder(struct scene *scene, const struct star_matrix *matrix)
{
    const double least = 0.1;
    const struct star_seats seats = {scene->topology, scene->machine, &star_cost_presets};
    int *taken = calloc((size_t)scene->ranks, sizeof *taken), moved = 0;
    assert_non_null(taken);
    assert_int_equal(star_reorder(matrix, &seats, least, scene->order, &scene->found, NULL), 0);
    for (int p = 0; p < scene->ranks; p++) {
        assert_in_range(scene->order[p], 0, scene->ranks - 1);
        assert_int_equal(taken[scene->order[p]]++, 0);
        moved += scene->order[p] != p;
    }
    assert_int_equal(moved, scene->found.moved);
    assert_true(moved == 0 || scene->found.after <= (1 - least) * scene->found.before);
    free(taken);
}

static struct star_matrix *grid(int dimensions, const int *sizes, const int *periodic)
{
    struct star_matrix_entry entries[2048];
    struct star_matrix *matrix;
    size_t count = star_grid_edges(dimensions, sizes, periodic, entries);
    star_edges_weigh(entries, count);
    assert_int_equal(
        star_matrix_make(star_grid_ranks(dimensions, sizes, 2048), entries, count, &matrix, NULL), 0);
    return matrix;
}

static void neighbors_come_together(void **state)
{
    const int sizes[] = {4, 4}, periodic[] = {0, 0};
    struct scene scene;
    struct star_matrix *matrix = grid(2, sizes, periodic);
    (void)state;
    open_scene(&scene, 16, 2, 2);
    seat(&scene, NULL);
    reorder(&scene, matrix);
    assert_true(scene.found.moved > 0);
    assert_true(scene.found.after < 0.6 * scene.found.before);
    close_scene(&scene);
    star_matrix_free(matrix);
}

/* Nothing is gained on one machine, with one rank a machine behind one switch, or where nobody talks. */
static void an_order_stays_that_is_as_good(void **state)
{
    const int sizes[] = {4, 4}, wraps[] = {1, 1};
    struct scene scene;
    struct star_matrix *matrix = grid(2, sizes, wraps), *silent;
    (void)state;
    open_scene(&scene, 16, 1, 16);
    seat(&scene, NULL);
    reorder(&scene, matrix);
    assert_int_equal(scene.found.moved, 0);
    for (int p = 0; p < 16; p++)
        scene.machine[p] = scene.machine[0];
    reorder(&scene, matrix);
    assert_int_equal(scene.found.moved, 0);
    seat(&scene, NULL);
    assert_int_equal(star_matrix_make(16, NULL, 0, &silent, NULL), 0);
    reorder(&scene, silent);
    assert_int_equal(scene.found.moved, 0);
    star_matrix_free(silent);
    star_matrix_free(matrix);
    close_scene(&scene);
}

static void any_order_is_a_permutation(void **state)
{
    uint64_t random = 3;
    (void)state;
    for (int ranks = 1; ranks <= 40; ranks += 3)
        for (int kind = 0; kind < MATRIX_KINDS; kind++) {
            struct scene scene;
            struct star_matrix *matrix = matrix_of((enum matrix_kind)kind, ranks);
            open_scene(&scene, ranks, 1 + ranks % 3, 3);
            seat(&scene, &random);
            reorder(&scene, matrix);
            close_scene(&scene);
            star_matrix_free(matrix);
        }
}

static void it_is_the_same_every_time(void **state)
{
    enum { RANKS = 24 };
    int first[RANKS];
    struct scene scene;
    struct star_matrix *matrix = matrix_of(HALO_3D, RANKS);
    (void)state;
    open_scene(&scene, RANKS, 2, 3);
    seat(&scene, NULL);
    reorder(&scene, matrix);
    memcpy(first, scene.order, sizeof first);
    reorder(&scene, matrix);
    assert_memory_equal(first, scene.order, sizeof first);
    close_scene(&scene);
    star_matrix_free(matrix);
}

static void anyhow_is_another_order(void **state)
{
    (void)state;
    for (int count = 1; count <= 40; count++) {
        int order[40], taken[40] = {0}, moved = 0;
        star_reorder_anyhow(order, count);
        for (int p = 0; p < count; p++) {
            assert_in_range(order[p], 0, count - 1);
            assert_int_equal(taken[order[p]]++, 0);
            moved += order[p] != p;
        }
        assert_true(count == 1 || moved > 0);
    }
}

static void a_grid_has_neighbors_along_each_dimension(void **state)
{
    const int sizes[] = {2, 3}, periodic[] = {0, 1};
    const int to[6][2] = {{3, -1}, {4, -1}, {5, -1}, {-1, 0}, {-1, 1}, {-1, 2}};
    struct star_matrix_entry entries[24];
    int has[6][6] = {{0}};
    (void)state;
    assert_int_equal(star_grid_ranks(2, sizes, 6), 6);
    assert_int_equal(star_grid_ranks(2, sizes, 5), 0);
    assert_int_equal(star_grid_ranks(2, (int[]){1 << 20, 1 << 20}, INT32_MAX), 0);
    assert_int_equal(star_grid_ranks(2, (int[]){0, 1}, 6), 0);
    size_t count = star_grid_edges(2, sizes, periodic, entries);
    assert_int_equal(count, 6 + 12);
    for (size_t i = 0; i < count; i++)
        has[entries[i].from][entries[i].to]++;
    for (int r = 0; r < 6; r++) {
        int row = r / 3 * 3, column = r % 3, other = to[r][0] >= 0 ? to[r][0] : to[r][1];
        assert_int_equal(has[r][other], 1);
        assert_int_equal(has[r][row + (column + 1) % 3], 1);
        assert_int_equal(has[r][row + (column + 2) % 3], 1);
    }
}

static void a_graph_has_the_edges_that_it_is_told(void **state)
{
    const int index[] = {2, 2, 3}, edges[] = {1, 2, 0};
    struct star_matrix_entry entries[3];
    (void)state;
    assert_int_equal(star_graph_edges(3, index, edges, entries), 3);
    assert_int_equal(entries[0].from, 0);
    assert_int_equal(entries[1].to, 2);
    assert_int_equal(entries[2].from, 2);
    assert_int_equal(entries[2].to, 0);
}

static void weights_are_ratios(void **state)
{
    struct star_matrix_entry entries[] = {{0, 1, 1, 1}, {1, 0, 3, 1}}, none[] = {{0, 1, 0, 1}};
    (void)state;
    star_edges_weigh(entries, 2);
    assert_true(entries[0].bytes == 32768 && entries[1].bytes == 3 * 32768);
    star_edges_weigh(none, 1);
    assert_true(none[0].bytes == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_come_together),
        cmocka_unit_test(an_order_stays_that_is_as_good),
        cmocka_unit_test(any_order_is_a_permutation),
        cmocka_unit_test(it_is_the_same_every_time),
        cmocka_unit_test(anyhow_is_another_order),
        cmocka_unit_test(a_grid_has_neighbors_along_each_dimension),
        cmocka_unit_test(a_graph_has_the_edges_that_it_is_told),
        cmocka_unit_test(weights_are_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
