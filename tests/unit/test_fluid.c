/* SPDX-License-Identifier: BSD-3-Clause
 * Lock-step costs and the loads of links. */
#include "schedules.h"
#include "topology/fluid.h"
#include "topology/network.h"
#include "topology/schedule.h"
#include "util/why.h"

static const int two[] = {16, 16}, four[] = {8, 8, 8, 8}, pair[] = {2, 1};

/* Messages of a table, until one of no bytes. */
struct table {
    const struct star_transfer *row;
};

static bool next_row(struct star_transfer *transfer, void *context)
{
    struct table *table = context;
    *transfer = *table->row;
    return table->row++->bytes > 0;
}

static struct star_fluid cost_of(const struct star_network *network, struct star_pattern pattern,
                                 double *load)
{
    struct star_fluid fluid;
    struct star_why why = {{0}};
    if (star_fluid(network, pattern, &fluid, load, &why))
        fail_msg("%s", why.text);
    return fluid;
}

/* Two ranks on a switch, one on another; the link between them is half as fast. */
static void each_phase_takes_as_long_as_its_busiest_link(void **state)
{
    (void)state;
    static const struct star_transfer rows[] = {
        {0, 0, 1, 1e6},
        {0, 1, 0, 3e6}, /* 3 s on the links of 0 and 1 */
        {5, 0, 2, 1e6},
        {5, 1, 2, 1e6}, /* 4 s between the switches */
        {6, 2, 2, 7e6}, /* to itself: nothing */
        {7, 2, 0, 1e6}, /* 2 s */
        {0},
    };
    struct star_network *network = network_of_sizes(CHAIN, pair, 2, 1, 0.5);
    struct table table = {rows};
    double load[8] = {0};
    struct star_fluid fluid = cost_of(network, (struct star_pattern){next_row, &table}, load);
    assert_true(fluid.seconds == 9);
    assert_int_equal(network->nodes, 4);
    static const double expected[8] = {2e6, 4e6, 4e6, 1e6, 1e6, 2e6, 0, 0};
    for (int i = 0; i < 8; i++)
        assert_true(load[i] == expected[i]);
    star_network_free(network);
}

static void a_pattern_out_of_order_is_refused(void **state)
{
    (void)state;
    static const struct star_transfer rows[] = {{1, 0, 1, 1}, {0, 0, 1, 1}, {0}};
    static const struct star_transfer stranger[] = {{1, 0, 3, 1}, {0}};
    struct star_network *network = network_of_sizes(CHAIN, pair, 2, 1, 1);
    struct star_fluid fluid;
    struct star_why why;
    struct table table = {rows};
    struct star_pattern pattern = {next_row, &table};
    assert_int_equal(star_fluid(network, pattern, &fluid, NULL, &why), STAR_EINPUT);
    expect_reason(&why, "phase 0 after");
    table.row = stranger;
    assert_int_equal(star_fluid(network, pattern, &fluid, NULL, &why), STAR_EINPUT);
    expect_reason(&why, "3 ranks");
    star_network_free(network);
}

/* The all-to-all in a ring of the network's order: in step i each rank sends BYTES to the one i places on.
 * CONTEXT of its pattern; begin with step 1 and place 0. */
struct ring {
    const struct star_network *network;
    double bytes;
    int step, place;
};

static bool next_in_ring(struct star_transfer *transfer, void *context)
{
    struct ring *ring = context;
    int ranks = ring->network->ranks;
    if (ring->step >= ranks)
        return false;
    *transfer = (struct star_transfer){.phase = ring->step,
                                       .from = ring->network->order[ring->place],
                                       .to = ring->network->order[(ring->place + ring->step) % ranks],
                                       .bytes = ring->bytes};
    if (++ring->place == ranks) {
        ring->place = 0;
        ring->step++;
    }
    return true;
}

/* Known from another program. */
static void a_ring_in_the_order_of_the_network_costs_what_the_busiest_link_must_carry(void **state)
{
    (void)state;
    static const struct {
        enum shape shape;
        const int *sizes;
        int switches;
        double trunk, units;
    } rings[] = {
        {CHAIN, two, 2, 1, 256}, {CHAIN, four, 4, 1, 256}, {STAR, four, 4, 1, 192}, {STAR, four, 4, 4, 51}};
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        struct star_network *network =
            network_of_sizes(rings[i].shape, rings[i].sizes, rings[i].switches, 1, rings[i].trunk);
        struct ring ring = {.network = network, .bytes = 1e6, .step = 1};
        double seconds = cost_of(network, (struct star_pattern){next_in_ring, &ring}, NULL).seconds;
        assert_true(seconds > rings[i].units - 0.5 && seconds < rings[i].units + 0.5);
        star_network_free(network);
    }
}

/* One step of the ring is what a logical ring does in each of its steps. */
static void each_step_to_the_next_in_order_uses_each_link_once(void **state)
{
    (void)state;
    uint64_t random = 31337;
    for (int i = 0; i < 300; i++) {
        struct star_network *network = random_network(&random, 40);
        int *load = calloc(2 * (size_t)network->nodes, sizeof *load);
        for (int place = 0; place < network->ranks; place++)
            star_network_path(network, network->order[place], network->order[(place + 1) % network->ranks],
                              count_link, load);
        for (int link = 0; link < 2 * (network->nodes - 1); link++)
            assert_int_equal(load[link], 1);
        free(load);
        star_network_free(network);
    }
}

/* The messages of a schedule, phase by phase; slowly. */
struct scheduled {
    const struct star_schedule *schedule;
    int64_t phase;
    int from, to;
};

static bool next_scheduled(struct star_transfer *transfer, void *context)
{
    struct scheduled *at = context;
    int ranks = at->schedule->ranks;
    for (; at->phase < at->schedule->phases; at->phase++, at->from = 0)
        for (; at->from < ranks; at->from++, at->to = 0)
            while (at->to < ranks) {
                int to = at->to++;
                if (to != at->from && star_schedule_phase(at->schedule, at->from, to) == at->phase) {
                    *transfer = (struct star_transfer){at->phase, at->from, to, 1e6};
                    return true;
                }
            }
    return false;
}

/* 4 × 8 with links between switches 4 times as fast: the plain schedule does not profit, bundles of 4 do. */
static void bundles_make_use_of_fast_links_between_switches(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, four, 4, 1, 4);
    for (int bundle = 1; bundle <= 4; bundle *= 4) {
        struct star_schedule *schedule = schedule_of(network, bundle);
        struct scheduled scheduled = {.schedule = schedule};
        struct star_fluid fluid = cost_of(network, (struct star_pattern){next_scheduled, &scheduled}, NULL);
        assert_true(fluid.seconds * bundle == 192);
        star_schedule_free(schedule);
    }
    star_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_phase_takes_as_long_as_its_busiest_link),
        cmocka_unit_test(a_pattern_out_of_order_is_refused),
        cmocka_unit_test(a_ring_in_the_order_of_the_network_costs_what_the_busiest_link_must_carry),
        cmocka_unit_test(each_step_to_the_next_in_order_uses_each_link_once),
        cmocka_unit_test(bundles_make_use_of_fast_links_between_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
