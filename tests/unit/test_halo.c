/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of the neighbourhood exchange, point by point. */
#include "expect.h"
#include "halo/halo.h"
#include "util/why.h"

static struct star_halo *halo_of(const struct star_block *block, const struct star_neighbors *neighbors)
{
    struct star_halo *halo = NULL;
    struct star_why why = {{0}};
    if (star_halo_make(block, neighbors, &halo, &why))
        fail_msg("%s", why.text);
    return halo;
}

enum { PAIRS_MOST = 40 };

static struct star_halo *halo_among_selves(const struct star_block *block, int pairs)
{
    int self[PAIRS_MOST] = {0};
    struct star_neighbors neighbors = {0, 1, pairs, self, self, STAR_BOTH_WAYS};
    return halo_of(block, &neighbors);
}

static bool lies_in(const struct star_box *box, int dimensions, const int *point)
{
    for (int d = 0; d < dimensions; d++)
        if (point[d] < box->start[d] || point[d] >= box->start[d] + box->count[d])
            return false;
    return true;
}

/* −1 in the low halo, 1 in the high one, 0 inside. */
static int where(const struct star_block *block, int d, int x)
{
    return x < block->width ? -1 : x >= block->size[d] - block->width ? 1 : 0;
}

/* The only side that is where POINT is; −1 for inner points. */
static int side_of(const struct star_halo *halo, const int *point)
{
    int found = -1;
    bool inner = true;
    for (int d = 0; d < halo->block.dimensions; d++)
        inner = inner && where(&halo->block, d, point[d]) == 0;
    for (int k = 0; !inner && k < halo->sides; k++) {
        bool here = true;
        for (int d = 0; d < halo->block.dimensions; d++)
            here = here && halo->side[k].at[d] == where(&halo->block, d, point[d]);
        if (here) {
            assert_int_equal(found, -1);
            found = k;
        }
    }
    return found;
}

static bool next_point(const struct star_block *block, int *point)
{
    for (int d = block->dimensions - 1; d >= 0; d--) {
        if (++point[d] < block->size[d])
            return true;
        point[d] = 0;
    }
    return false;
}

/* Wrapped onto itself, a block's halo holds the inner points one inner length away. */
static void check_every_point(const struct star_halo *halo)
{
    const struct star_block *block = &halo->block;
    int point[STAR_HALO_DIMENSIONS] = {0}, wrapped[STAR_HALO_DIMENSIONS];
    do {
        int side = side_of(halo, point);
        for (int d = 0; d < block->dimensions; d++)
            wrapped[d] = point[d] - where(block, d, point[d]) * (block->size[d] - 2 * block->width);
        for (int k = 0; k < halo->sides; k++) {
            struct star_box received = star_halo_received(halo, k), sent = star_halo_sent(halo, k ^ 1);
            assert_int_equal(lies_in(&received, block->dimensions, point), k == side);
            if (k == side)
                assert_true(lies_in(&sent, block->dimensions, wrapped));
            for (int d = 0; d < block->dimensions; d++)
                assert_int_equal(sent.count[d], received.count[d]);
        }
    } while (next_point(block, point));
}

static void the_sides_of_a_block_are_its_halo_and_the_inner_points_beside_it(void **state)
{
    (void)state;
    static const struct star_block blocks[] = {
        {1, {3}, 1, 1, false},          {1, {12}, 4, 3, false},        {2, {6, 5}, 1, 1, false},
        {2, {9, 7}, 2, 2, false},       {3, {5, 3, 6}, 1, 1, false},   {3, {6, 7, 8}, 2, 1, false},
        {4, {3, 4, 5, 3}, 1, 2, false}, {4, {6, 6, 7, 6}, 2, 1, true},
    };
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
        int most = star_halo_pairs(blocks[b].dimensions, true);
        for (int pairs = 1; pairs <= most; pairs += most > 13 ? 13 : 1) {
            struct star_halo *halo = halo_among_selves(&blocks[b], pairs);
            assert_int_equal(halo->sides, 2 * pairs);
            check_every_point(halo);
            free(halo);
        }
    }
}

static void the_elements_of_a_side_are_its_points_times_the_values(void **state)
{
    (void)state;
    /* 10 x 9 x 8 with 2 wide halos: 6 x 5 x 4 inside. */
    struct star_block block = {3, {10, 9, 8}, 2, 5, false};
    struct star_halo *halo = halo_among_selves(&block, 13);
    static const int expected[] = {2 * 5 * 4, 6 * 2 * 4, 6 * 5 * 2, 2 * 2 * 4, 2 * 2 * 4,
                                   2 * 5 * 2, 6 * 2 * 2, 2 * 5 * 2, 6 * 2 * 2, 8,
                                   8,         8,         8};
    for (int k = 0; k < 26; k++)
        assert_int_equal(star_halo_elements(halo, k), 5 * expected[k / 2]);
    free(halo);
}

static int number_of_sides(int dimensions)
{
    int three = 1;
    for (int d = 0; d < dimensions; d++)
        three *= 3;
    return three - 1;
}

static void every_direction_is_a_side_once_and_faces_come_first(void **state)
{
    (void)state;
    for (int dimensions = 1; dimensions <= STAR_HALO_DIMENSIONS; dimensions++) {
        int pairs = star_halo_pairs(dimensions, true), sides = number_of_sides(dimensions), outside = 1;
        assert_int_equal(2 * pairs, sides);
        assert_int_equal(star_halo_pairs(dimensions, false), dimensions);
        signed char(*at)[STAR_HALO_DIMENSIONS] = calloc((size_t)pairs, sizeof *at);
        bool *seen = calloc((size_t)sides + 1, sizeof *seen);
        star_halo_lefts(dimensions, pairs, at);
        for (int p = 0; p < pairs; p++) {
            int code = 0, mirrored = 0, axes = 0;
            for (int d = 0; d < dimensions; d++) {
                code = 3 * code + 1 + at[p][d];
                mirrored = 3 * mirrored + 1 - at[p][d];
                axes += at[p][d] != 0;
            }
            assert_true(!seen[code] && !seen[mirrored] && code != mirrored);
            seen[code] = seen[mirrored] = true;
            assert_true(axes >= outside);
            outside = axes;
            if (p < dimensions)
                assert_int_equal(at[p][p], -1);
        }
        free(seen);
        free(at);
    }
}

/* As ADCL_Topology_create_extended numbers them. */
static void diagonal_neighbours_come_in_the_order_of_adcl(void **state)
{
    (void)state;
    static const int flat[4][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, -1}};
    static const int deep[9][3] = {{-1, 0, 0},  {0, -1, 0}, {0, 0, -1}, {-1, -1, 0}, {-1, 1, 0},
                                   {-1, 0, -1}, {0, 1, -1}, {1, 0, -1}, {0, -1, -1}};
    signed char at[9][STAR_HALO_DIMENSIONS];
    star_halo_lefts(2, 4, at);
    for (int p = 0; p < 4; p++)
        assert_true(at[p][0] == flat[p][0] && at[p][1] == flat[p][1]);
    star_halo_lefts(3, 9, at);
    for (int p = 0; p < 9; p++)
        assert_true(at[p][0] == deep[p][0] && at[p][1] == deep[p][1] && at[p][2] == deep[p][2]);
}

static void a_grid_knows_its_neighbours(void **state)
{
    (void)state;
    /* 3 x 4, wrapped in the second dimension:
     *  0  1  2  3
     *  4  5  6  7
     *  8  9 10 11 */
    struct star_grid grid = {2, {3, 4}, {false, true}};
    int left[4], right[4];
    star_grid_neighbors(&grid, 5, 4, left, right);
    assert_true(left[0] == 1 && right[0] == 9 && left[1] == 4 && right[1] == 6);
    assert_true(left[2] == 0 && right[2] == 10 && left[3] == 8 && right[3] == 2);
    star_grid_neighbors(&grid, 3, 4, left, right);
    assert_true(left[0] == STAR_NOBODY && right[0] == 7 && left[1] == 2 && right[1] == 0);
    assert_true(left[2] == STAR_NOBODY && right[2] == 4 && left[3] == 6 && right[3] == STAR_NOBODY);
}

static void narrow_grids_have_one_neighbour_on_both_sides_or_themselves(void **state)
{
    (void)state;
    struct star_grid grid = {3, {1, 2, 1}, {true, true, false}};
    int left[3], right[3];
    star_grid_neighbors(&grid, 1, 3, left, right);
    assert_true(left[0] == 1 && right[0] == 1);
    assert_true(left[1] == 0 && right[1] == 0);
    assert_true(left[2] == STAR_NOBODY && right[2] == STAR_NOBODY);
}

static void values_move_the_ways_that_are_asked_for(void **state)
{
    (void)state;
    struct star_block block = {1, {8}, 1, 1, false};
    int left[] = {3}, right[] = {4};
    static const struct {
        enum star_ways ways;
        int to_left, from_left, to_right, from_right;
    } cases[] = {
        {STAR_BOTH_WAYS, 3, 3, 4, 4},
        {STAR_LEFT_TO_RIGHT, STAR_NOBODY, 3, 4, STAR_NOBODY},
        {STAR_RIGHT_TO_LEFT, 3, STAR_NOBODY, STAR_NOBODY, 4},
    };
    for (int c = 0; c < 3; c++) {
        struct star_neighbors neighbors = {0, 5, 1, left, right, cases[c].ways};
        struct star_halo *halo = halo_of(&block, &neighbors);
        assert_true(halo->side[0].to == cases[c].to_left && halo->side[0].from == cases[c].from_left);
        assert_true(halo->side[1].to == cases[c].to_right && halo->side[1].from == cases[c].from_right);
        free(halo);
    }
}

static void a_halo_of_no_width_has_no_messages(void **state)
{
    (void)state;
    struct star_block block = {2, {4, 4}, 0, 1, false};
    struct star_halo *halo = halo_among_selves(&block, 4);
    for (int k = 0; k < 8; k++)
        assert_true(halo->side[k].to == STAR_NOBODY && halo->side[k].from == STAR_NOBODY);
    free(halo);
}

static void what_does_not_fit_is_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        struct star_block block;
        int pairs, neighbour, ways;
        const char *says;
    } cases[] = {
        {{0, {4}, 1, 1, false}, 1, 0, 1, "0 dimensions"},
        {{9, {4}, 1, 1, false}, 1, 0, 1, "9 dimensions"},
        {{1, {8}, -1, 1, false}, 1, 0, 1, "-1 points wide"},
        {{1, {8}, 1, 0, false}, 1, 0, 1, "0 values"},
        {{1, {0}, 0, 1, false}, 1, 0, 1, "dimension 0 of the vector has 0 points"},
        {{2, {8, 5}, 2, 1, false}, 2, 0, 1, "dimension 1 of the vector has 5 points, of which 2"},
        {{1, {3}, 2, 1, false}, 1, 0, 1, "0 are left"},
        {{1, {8}, 2147483647, 1, false}, 1, 0, 1, "wider"},
        {{2, {8, 8}, 1, 1, false}, 0, 0, 1, "0 pairs"},
        {{2, {8, 8}, 1, 1, false}, 5, 0, 1, "1 to 4 pairs"},
        {{2, {8, 8}, 1, 1, false}, 2, 4, 1, "left neighbour 4 of pair 0 is no rank"},
        {{2, {8, 8}, 1, 1, false}, 2, 0, 4, "unknown direction 4"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        int left[PAIRS_MOST] = {0}, right[PAIRS_MOST] = {0};
        left[0] = cases[c].neighbour;
        struct star_neighbors neighbors = {0, 4, cases[c].pairs, left, right, (enum star_ways)cases[c].ways};
        struct star_halo *halo = NULL;
        struct star_why why = {{0}};
        assert_int_equal(star_halo_make(&cases[c].block, &neighbors, &halo, &why), STAR_EINPUT);
        expect_reason(&why, cases[c].says);
        assert_null(halo);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sides_of_a_block_are_its_halo_and_the_inner_points_beside_it),
        cmocka_unit_test(the_elements_of_a_side_are_its_points_times_the_values),
        cmocka_unit_test(every_direction_is_a_side_once_and_faces_come_first),
        cmocka_unit_test(diagonal_neighbours_come_in_the_order_of_adcl),
        cmocka_unit_test(a_grid_knows_its_neighbours),
        cmocka_unit_test(narrow_grids_have_one_neighbour_on_both_sides_or_themselves),
        cmocka_unit_test(values_move_the_ways_that_are_asked_for),
        cmocka_unit_test(a_halo_of_no_width_has_no_messages),
        cmocka_unit_test(what_does_not_fit_is_refused_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
