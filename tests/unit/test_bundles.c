/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in bundles: for links between switches that are faster than those of hosts. */
#include "syncs.h"
#include "topology/bundles.h"
#include "topology/needed.h"
#include "topology/network.h"
#include "topology/schedule.h"
#include "util/why.h"

static const int two[] = {16, 16}, four[] = {8, 8, 8, 8}, uneven[] = {4, 8, 4, 8, 12}, small[] = {4, 4, 4};

/* Phases: m_0 (M − m_0) / c. */
static const struct bundled {
    enum shape shape;
    const int *sizes;
    int switches, bundle, phases;
} bundled[] = {
    {STAR, four, 4, 2, 96},    {STAR, four, 4, 4, 48},  {CHAIN, two, 2, 8, 32}, {CHAIN, two, 2, 2, 128},
    {STAR, uneven, 5, 2, 144}, {CHAIN, small, 2, 2, 8}, {STAR, two, 2, 4, 64},
};

static void bundles_divide_the_phases_and_fill_the_links_between_switches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bundled / sizeof *bundled; i++) {
        const struct bundled *it = &bundled[i];
        struct star_network *network = network_of_sizes(it->shape, it->sizes, it->switches, 1, it->bundle);
        struct star_schedule *schedule = schedule_of(network, it->bundle);
        assert_int_equal(star_schedule_bundle(network), it->bundle);
        assert_int_equal(schedule->phases, it->phases);
        assert_int_equal(schedule->phases, busiest(network, it->bundle));
        expect_free_of_contention(network, schedule);
        expect_messages(schedule);
        star_schedule_free(schedule);
        star_network_free(network);
    }
}

static void their_syncs_are_enough(void **state)
{
    (void)state;
    static const int six[] = {6, 6};
    for (int form = 0; form < 3; form++) {
        struct star_network *network =
            network_of_sizes(form == 0 ? STAR : CHAIN, form == 2 ? six : small, form == 0 ? 3 : 2, 1, 2);
        struct star_schedule *schedule = schedule_of(network, 2);
        expect_syncs_enough(network, schedule, STAR_RULE_RENDEZVOUS);
        expect_syncs_enough(network, schedule, STAR_RULE_EAGER);
        star_schedule_free(schedule);
        star_network_free(network);
    }
}

static void a_bundle_of_one_is_the_plain_schedule(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(CHAIN, four, 4, 1, 1);
    struct star_schedule *schedule = schedule_of(network, 1);
    assert_int_equal(schedule->phases, 256);
    assert_int_equal(star_schedule_bundle(network), 1);
    star_schedule_free(schedule);
    star_network_free(network);
}

static void bundles_are_as_many_as_the_slowest_link_carries(void **state)
{
    (void)state;
    static const struct {
        double trunk;
        int bundle;
    } ratios[] = {{0.5, 1}, {1, 1}, {1.9, 1}, {2.5, 2}, {10, 10}, {1e9, 32}};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        struct star_network *network = network_of_sizes(STAR, four, 4, 1, ratios[i].trunk);
        assert_int_equal(star_schedule_bundle(network), ratios[i].bundle);
        star_network_free(network);
    }
}

static const int greatest[] = {8, 4, 2}, two_of_four[] = {4, 4, 2}, alone[] = {8}, one[] = {1};
static const struct refused {
    enum shape shape;
    const int *sizes;
    int switches, ranks_each, bundle, error;
    const char *word;
} refused[] = {
    {STAR, four, 4, 1, 3, STAR_ENEEDS, "divide"},        {STAR, four, 4, 1, 8, STAR_ENEEDS, "two at least"},
    {STAR, two_of_four, 3, 1, 2, STAR_ENEEDS, "two at"}, {STAR, greatest, 3, 2, 2, STAR_ENEEDS, "one core"},
    {CHAIN, greatest, 2, 1, 2, STAR_ENEEDS, "half of"},  {CHAIN, four, 4, 1, 2, STAR_ENEEDS, "one core"},
    {CHAIN, alone, 1, 1, 2, STAR_ENEEDS, "several"},     {CHAIN, one, 1, 1, 2, STAR_ENEEDS, "several"},
    {STAR, four, 4, 1, 0, STAR_EINPUT, "at least one"},
};

static void where_bundles_do_not_apply_the_reason_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct refused *it = &refused[i];
        struct star_network *network =
            network_of_sizes(it->shape, it->sizes, it->switches, it->ranks_each, 1);
        struct star_schedule *schedule = NULL;
        struct star_why why = {{0}};
        assert_int_equal(star_schedule_in_bundles(network, it->bundle, &schedule, &why), it->error);
        assert_null(schedule);
        expect_reason(&why, it->word);
        star_network_free(network);
    }
}

/* Switches of 4 hosts each on a core that has ON_CORE hosts itself. FIRST_SWITCH: the tree's root is not the
 * core, but one of the switches. */
static struct star_network *with_hosts_on_the_core(int switches, int on_core, bool first_switch)
{
    struct tree tree = {.nodes = 0};
    int first = first_switch ? add_node(&tree, -1, false, 0) : -1;
    int core = add_node(&tree, first, false, mbps(2));
    for (int i = 0; i < switches; i++) {
        int node = i == 0 && first_switch ? first : add_node(&tree, core, false, mbps(2));
        for (int k = 0; k < 4; k++)
            add_ranks(&tree, add_node(&tree, node, true, mbps(1)), 1);
    }
    for (int i = 0; i < on_core; i++)
        add_ranks(&tree, add_node(&tree, core, true, mbps(1)), 1);
    return network_of(&tree);
}

static void hosts_on_the_core_are_a_switch_too_and_any_switch_may_be_the_root(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        struct star_network *network = with_hosts_on_the_core(3, form / 2 * 4, form % 2);
        struct star_schedule *schedule = schedule_of(network, 2);
        assert_int_equal(schedule->phases, form / 2 ? 4 * 12 / 2 : 4 * 8 / 2);
        expect_free_of_contention(network, schedule);
        expect_messages(schedule);
        star_schedule_free(schedule);
        star_network_free(network);
    }
    struct star_network *network = with_hosts_on_the_core(3, 2, false);
    struct star_schedule *schedule = NULL;
    struct star_why why = {{0}};
    assert_int_equal(star_schedule_in_bundles(network, 2, &schedule, &why), STAR_ENEEDS);
    expect_reason(&why, "two at least");
    star_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bundles_divide_the_phases_and_fill_the_links_between_switches),
        cmocka_unit_test(their_syncs_are_enough),
        cmocka_unit_test(a_bundle_of_one_is_the_plain_schedule),
        cmocka_unit_test(bundles_are_as_many_as_the_slowest_link_carries),
        cmocka_unit_test(where_bundles_do_not_apply_the_reason_is_said),
        cmocka_unit_test(hosts_on_the_core_are_a_switch_too_and_any_switch_may_be_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
