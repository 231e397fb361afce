/* SPDX-License-Identifier: BSD-3-Clause
 * Flows against rates that are worked out another way: each grows by small steps until a link is full. */
#include "plan/flows.h"
#include "topology/network.h"
#include "tree.h"

#include <math.h>

enum { FLOWS_MAX = 24, RANKS = 9, NODES = 13 };

struct known {
    int from, to;
    double left, rate;
    bool held, over;
};

/* Machines 0…8 on switches 9…11, below 12. */
static const struct star_network *plant_three_switches(struct tree *tree, uint64_t *seed)
{
    int parent[NODES];
    double rate[NODES];
    for (int n = 0; n < NODES; n++) {
        parent[n] = n < RANKS ? RANKS + n / 3 : n < NODES - 1 ? NODES - 1 : -1;
        rate[n] = 10.0 * (double)(1 + random_below(seed, 4));
    }
    rate[NODES - 1] = 0;
    return plant(tree, RANKS, NODES, parent, rate);
}

static bool is_full(const struct star_network *network, const struct known *known, int count, int link)
{
    double sum = 0;
    for (int f = 0; f < count; f++)
        sum += crosses(network, known[f].from, known[f].to, link) ? known[f].rate : 0;
    return sum >= network->rate[link / 2] * (1 - 1e-12);
}

/* The most by which all that are not held can grow. */
static double room_to_grow(const struct star_network *network, const struct known *known, int count)
{
    double least = INFINITY;
    for (int link = 0; link < 2 * (NODES - 1); link++) {
        double room = network->rate[link / 2];
        int growing = 0;
        for (int f = 0; f < count; f++)
            if (crosses(network, known[f].from, known[f].to, link)) {
                room -= known[f].rate;
                growing += !known[f].held;
            }
        least = growing ? fmin(least, room / growing) : least;
    }
    return least;
}

static void grow_all(const struct star_network *network, struct known *known, int count)
{
    int held = 0;
    for (int f = 0; f < count; f++) {
        known[f].rate = 0;
        known[f].held = known[f].over;
        held += known[f].held;
    }
    while (held < count) {
        double more = room_to_grow(network, known, count);
        for (int f = 0; f < count; f++)
            known[f].rate += known[f].held ? 0 : more;
        for (int f = 0; f < count; f++)
            for (int link = 0; link < 2 * (NODES - 1) && !known[f].held; link++)
                if (crosses(network, known[f].from, known[f].to, link) &&
                    is_full(network, known, count, link)) {
                    known[f].held = true;
                    held++;
                }
    }
}

/* Time passes until the next flow ends; the ends must be the same ones. Returns how many. */
static int pass(struct star_flows *flows, struct known *known, int count)
{
    double next = INFINITY, found = star_flows_next(flows);
    const int *ended;
    for (int f = 0; f < count; f++)
        next = known[f].over ? next : fmin(next, known[f].left / known[f].rate);
    if (fabs(found - next) > 1e-9 * next)
        fail_msg("%.12g seconds to the next end, not %.12g", found, next);
    int ends = star_flows_pass(flows, found, 1e-9, &ended), over = 0;
    for (int f = 0; f < count; f++)
        known[f].left -= known[f].over ? 0 : known[f].rate * next;
    for (int e = 0; e < ends; e++) {
        assert_in_range(ended[e], 0, count - 1);
        assert_false(known[ended[e]].over);
        assert_true(known[ended[e]].left < 1e-6);
        known[ended[e]].over = true;
    }
    for (int f = 0; f < count; f++) {
        assert_true(known[f].over || known[f].left > 0);
        over += known[f].over;
    }
    return over;
}

static void shares_are_max_min_fair(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (int trial = 0; trial < 60; trial++) {
        struct tree tree;
        struct known known[FLOWS_MAX] = {0};
        const struct star_network *network = plant_three_switches(&tree, &seed);
        struct star_flows *flows = star_flows_new(network, (struct star_sharing){.framing = 1});
        int count = 1 + (int)random_below(&seed, FLOWS_MAX);
        for (int f = 0; f < count; f++) {
            int from = (int)random_below(&seed, RANKS), bytes = 1 + (int)random_below(&seed, 500);
            int to = (from + 1 + (int)random_below(&seed, RANKS - 1)) % RANKS;
            known[f] = (struct known){.from = from, .to = to, .left = bytes};
            assert_int_equal(star_flows_start(flows, from, to, bytes, f), 1);
        }
        do
            grow_all(network, known, count);
        while (pass(flows, known, count) < count);
        assert_true(isinf(star_flows_next(flows)));
        star_flows_free(flows);
    }
}

static void links_without_a_rate_are_no_hops(void **state)
{
    (void)state;
    struct tree tree;
    static const int parent[] = {3, 3, 4, 4, -1};
    static const double rate[] = {0, 0, 5, 7, 0};
    struct star_flows *flows =
        star_flows_new(plant(&tree, 3, 5, parent, rate), (struct star_sharing){.framing = 1});
    assert_int_equal(star_flows_hops(flows, 0, 1), 0);
    assert_int_equal(star_flows_hops(flows, 0, 2), 2);
    assert_int_equal(star_flows_hops(flows, 2, 1), 2);
    assert_int_equal(star_flows_farthest(flows), 2);
    assert_int_equal(star_flows_start(flows, 0, 1, 10, 0), 0);
    assert_true(isinf(star_flows_next(flows)));
    assert_int_equal(star_flows_loads(flows)[0].bytes, 10);
    star_flows_free(flows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_max_min_fair),
        cmocka_unit_test(links_without_a_rate_are_no_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
