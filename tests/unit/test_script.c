/* SPDX-License-Identifier: BSD-3-Clause
 * The scripts of all ranks, acted out together where no send is buffered: every message arrives once, packed
 * before it moves and unpacked after, and nothing deadlocks, whatever the grid. */
#include "actors.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "halo/turns.h"
#include "util/why.h"

enum { PAIRS_MOST = 40 };

static void act_out_all(struct star_halo *const *halo, int ranks)
{
    for (int m = 0; m < star_neighborhoods_count; m++)
        act_out(halo, ranks, &star_neighborhoods[m]);
}

static struct star_block block_of(int dimensions)
{
    return (struct star_block){dimensions, {4, 4, 4, 4, 4, 4, 4, 4}, 1, 1, false};
}

/* All halos of a grid; returns the number of ranks. */
static int plant(const struct star_grid *grid, int pairs, enum star_ways ways, struct star_halo **halo)
{
    int left[PAIRS_MOST], right[PAIRS_MOST], ranks = 1;
    struct star_block block = block_of(grid->dimensions);
    struct star_why why = {{0}};
    for (int d = 0; d < grid->dimensions; d++)
        ranks *= grid->size[d];
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(star_grid_neighbors(grid, r, pairs, left, right), 0);
        struct star_neighbors near = {r, ranks, pairs, left, right, ways};
        if (star_halo_make(&block, &near, &halo[r], &why))
            fail_msg("%s", why.text);
    }
    return ranks;
}

static void clear(struct star_halo **halo, int ranks)
{
    for (int r = 0; r < ranks; r++)
        free(halo[r]);
}

/* Periodic in each combination of dimensions, with and without diagonals. */
static void act_out_grid(struct star_grid grid)
{
    for (int wraps = 0; wraps < 1 << grid.dimensions; wraps++)
        for (int diagonal = 0; diagonal < 2; diagonal++) {
            struct star_halo *halo[ACTORS_MOST];
            for (int d = 0; d < grid.dimensions; d++)
                grid.periodic[d] = wraps >> d & 1;
            int ranks = plant(&grid, star_halo_pairs(grid.dimensions, diagonal), STAR_BOTH_WAYS, halo);
            act_out_all(halo, ranks);
            clear(halo, ranks);
        }
}

static void no_line_or_ring_deadlocks(void **state)
{
    (void)state;
    for (int size = 1; size <= 17; size++)
        act_out_grid((struct star_grid){1, {size}, {false}});
}

static void no_grid_of_two_dimensions_deadlocks(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 5; rows++)
        for (int columns = 1; columns <= 6; columns++)
            act_out_grid((struct star_grid){2, {rows, columns}, {false}});
}

static void no_grid_of_more_dimensions_deadlocks(void **state)
{
    (void)state;
    static const struct star_grid grids[] = {
        {3, {1, 1, 1}, {false}},       {3, {2, 2, 2}, {false}},    {3, {3, 3, 3}, {false}},
        {3, {1, 5, 2}, {false}},       {3, {4, 1, 3}, {false}},    {3, {2, 3, 5}, {false}},
        {4, {1, 1, 1, 1}, {false}},    {4, {2, 1, 2, 2}, {false}}, {4, {3, 2, 1, 3}, {false}},
        {5, {1, 2, 1, 3, 1}, {false}},
    };
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++) {
        if (grids[g].dimensions < 5) {
            act_out_grid(grids[g]);
            continue;
        }
        struct star_halo *halo[ACTORS_MOST];
        int ranks = plant(&grids[g], PAIRS_MOST, STAR_BOTH_WAYS, halo);
        act_out_all(halo, ranks);
        clear(halo, ranks);
    }
}

static void one_way_exchanges_do_not_deadlock(void **state)
{
    (void)state;
    for (int ways = STAR_LEFT_TO_RIGHT; ways <= STAR_RIGHT_TO_LEFT; ways++)
        for (int size = 1; size <= 7; size++) {
            struct star_halo *halo[ACTORS_MOST];
            struct star_grid grid = {2, {size, 3}, {true, false}};
            int ranks = plant(&grid, 4, (enum star_ways)ways, halo);
            act_out_all(halo, ranks);
            clear(halo, ranks);
        }
}

/* In each direction any rank may send to any other, at most one to each: to itself too, or to nobody. */
static void connect_at_random(struct star_halo **halo, int ranks, int side, uint64_t *seed)
{
    int target[ACTORS_MOST] = {0};
    for (int r = 0; r < ranks; r++)
        target[r] = r;
    for (int r = ranks - 1; r > 0; r--) {
        int other = (int)random_below(seed, (uint64_t)r + 1), kept = target[r];
        target[r] = target[other];
        target[other] = kept;
    }
    for (int r = 0; r < ranks; r++) {
        bool sends = random_below(seed, 4) != 0;
        halo[r]->side[side].to = sends ? target[r] : STAR_NOBODY;
        halo[target[r]]->side[side ^ 1].from = sends ? r : STAR_NOBODY;
    }
}

static void no_topology_deadlocks_however_asymmetric(void **state)
{
    (void)state;
    uint64_t seed = 20070326;
    for (int trial = 0; trial < trials(400, 40); trial++) {
        struct star_halo *halo[ACTORS_MOST];
        struct star_grid grid = {2, {1, 1 + (int)random_below(&seed, 13)}, {false}};
        int ranks = plant(&grid, 3, STAR_BOTH_WAYS, halo);
        for (int side = 0; side < 6; side++)
            connect_at_random(halo, ranks, side, &seed);
        act_out_all(halo, ranks);
        clear(halo, ranks);
    }
}

/* When the last turn of all ranks is over, if each takes one unit of time and begins when both sides are
 * free. */
static int length_of_turns(struct star_halo *const *halo, int ranks)
{
    static struct star_turn turn[ACTORS_MOST][2 * ACTOR_SIDES];
    int turns[ACTORS_MOST] = {0}, at[ACTORS_MOST] = {0}, time = 0;
    for (int r = 0; r < ranks; r++)
        assert_int_equal(star_turns_list(halo[r], true, turn[r], &turns[r]), 0);
    for (bool busy = true; busy; time += busy) {
        bool takes[ACTORS_MOST] = {false};
        busy = false;
        for (int r = 0; r < ranks; r++) {
            if (at[r] == turns[r])
                continue;
            const struct star_turn *mine = &turn[r][at[r]];
            int other = halo[r]->side[mine->send].to;
            const struct star_turn *theirs = &turn[other][at[other]];
            takes[r] = at[other] < turns[other] && theirs->send == (mine->receive ^ 1) &&
                       theirs->receive == (mine->send ^ 1) && halo[other]->side[theirs->send].to == r;
        }
        for (int r = 0; r < ranks; r++) {
            at[r] += takes[r];
            busy = busy || takes[r];
        }
    }
    return time;
}

static void a_pair_wise_exchange_takes_two_turns_in_each_dimension_however_many_ranks(void **state)
{
    (void)state;
    static const struct {
        struct star_grid grid;
        int turns;
    } cases[] = {
        {{1, {2}, {false}}, 1},         {{1, {16}, {false}}, 2},      {{1, {15}, {false}}, 2},
        {{1, {16}, {true}}, 2},         {{1, {15}, {true}}, 3},       {{2, {4, 8}, {false}}, 4},
        {{2, {4, 8}, {true, true}}, 4}, {{3, {2, 4, 4}, {false}}, 5},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct star_halo *halo[ACTORS_MOST];
        int ranks = plant(&cases[c].grid, cases[c].grid.dimensions, STAR_BOTH_WAYS, halo);
        assert_int_equal(length_of_turns(halo, ranks), cases[c].turns);
        clear(halo, ranks);
    }
}

static void only_waiting_may_be_put_off(void **state)
{
    (void)state;
    static const enum star_deed last[] = {STAR_DO_WAIT, STAR_DO_LAST_FENCE, STAR_DO_COMPLETE,
                                          STAR_DO_WAIT_EXPOSED};
    for (int deed = 0; deed < STAR_DEEDS; deed++) {
        bool found = false;
        for (int i = 0; i < 4; i++)
            found = found || (int)last[i] == deed;
        assert_int_equal(star_may_pause((enum star_deed)deed), found);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_or_ring_deadlocks),
        cmocka_unit_test(no_grid_of_two_dimensions_deadlocks),
        cmocka_unit_test(no_grid_of_more_dimensions_deadlocks),
        cmocka_unit_test(one_way_exchanges_do_not_deadlock),
        cmocka_unit_test(no_topology_deadlocks_however_asymmetric),
        cmocka_unit_test(a_pair_wise_exchange_takes_two_turns_in_each_dimension_however_many_ranks),
        cmocka_unit_test(only_waiting_may_be_put_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
