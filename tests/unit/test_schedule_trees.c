/* SPDX-License-Identifier: BSD-3-Clause
 * Contention-free schedules over thousands of random trees, and for many ranks. */
#include "syncs.h"
#include "topology/bundles.h"
#include "topology/needed.h"
#include "topology/network.h"
#include "topology/schedule.h"
#include "topology/topology.h"

#include <time.h>

static void schedules_hold_on_random_trees(void **state)
{
    (void)state;
    uint64_t random = 20240517;
    for (int i = 0; i < trials(3000, 150); i++) {
        struct star_network *network = random_network(&random, i % 10 ? 24 : 64);
        expect_good(network);
        star_network_free(network);
    }
}

static void syncs_are_enough_on_random_trees(void **state)
{
    (void)state;
    uint64_t random = 987654321;
    for (int i = 0; i < trials(150, 20); i++) {
        struct star_network *network = random_network(&random, 6);
        if (network->ranks <= 14) {
            struct star_schedule *schedule = schedule_of(network, 1);
            expect_syncs_enough(network, schedule, STAR_RULE_RENDEZVOUS);
            expect_syncs_enough(network, schedule, STAR_RULE_EAGER);
            star_schedule_free(schedule);
        }
        star_network_free(network);
    }
}

static void bundles_hold_wherever_they_apply(void **state)
{
    (void)state;
    uint64_t random = 5551212;
    int applied = 0;
    int count = trials(600, 60);
    for (int i = 0; i < count; i++) {
        int sizes[8], switches = 2 + (int)random_below(&random, 5),
                      bundle = 2 + (int)random_below(&random, 3);
        for (int k = 0; k < switches; k++)
            sizes[k] = bundle * (1 + (int)random_below(&random, 4));
        struct star_network *network =
            network_of_sizes(switches == 2 ? CHAIN : STAR, sizes, switches, 1, bundle);
        struct star_schedule *schedule = NULL;
        if (star_schedule_in_bundles(network, bundle, &schedule, NULL) == 0) {
            assert_int_equal(schedule->phases, busiest(network, bundle));
            expect_free_of_contention(network, schedule);
            expect_messages(schedule);
            applied++;
        }
        star_schedule_free(schedule);
        star_network_free(network);
    }
    assert_true(applied > count / 6);
}

/* 100 switches of 100 machines, in a tree of depth 2. */
static struct star_network *of_ten_thousand(void)
{
    enum { SWITCHES = 100, EACH = 100, NODES = 1 + SWITCHES + SWITCHES * EACH };
    struct star_node *node = calloc(NODES, sizeof *node);
    int *machine = calloc((size_t)SWITCHES * EACH, sizeof *machine);
    for (int i = 0; i < NODES; i++) {
        bool is_machine = i > SWITCHES;
        int parent = is_machine ? 1 + (i - SWITCHES - 1) / EACH : i - 1 < 0 ? -1 : 0;
        node[i] =
            (struct star_node){.parent = parent, .mbps = i ? 1000 : 0, .machine = is_machine, .slots = 1};
    }
    for (int i = 0; i < SWITCHES * EACH; i++)
        machine[i] = 1 + SWITCHES + i;
    struct star_topology topology = {.node = node, .nodes = NODES, .machines = SWITCHES * EACH};
    struct star_network *network = NULL;
    assert_int_equal(star_network_of(&topology, machine, SWITCHES * EACH, &network, NULL), 0);
    free(node);
    free(machine);
    return network;
}

static void ten_thousand_machines_are_planned_in_a_second(void **state)
{
    (void)state;
    struct star_network *network = of_ten_thousand();
    size_t count = (size_t)network->ranks;
    struct star_message *sends = calloc(count, sizeof *sends), *receives = calloc(count, sizeof *receives);
    clock_t began = clock(); /* of the processor: the machine may be busy */
    struct star_schedule *schedule = schedule_of(network, 1);
    assert_int_equal(star_schedule_messages(schedule, 4321, sends, receives, NULL), 0);
    assert_true(clock() - began < CLOCKS_PER_SEC);
    assert_int_equal(schedule->phases, 100 * 9900);
    for (size_t i = 1; i < count - 1; i++)
        assert_true(sends[i].phase > sends[i - 1].phase && receives[i].phase > receives[i - 1].phase);
    free(sends);
    free(receives);
    star_schedule_free(schedule);
    star_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_hold_on_random_trees),
        cmocka_unit_test(syncs_are_enough_on_random_trees),
        cmocka_unit_test(bundles_hold_wherever_they_apply),
        cmocka_unit_test(ten_thousand_machines_are_planned_in_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
