/* SPDX-License-Identifier: BSD-3-Clause
 * Contention-free schedules on networks whose figures are known; test_schedule_trees.c has thousands more. */
#include "syncs.h"
#include "topology/needed.h"
#include "topology/network.h"
#include "topology/schedule.h"
#include "util/why.h"

static const int two[] = {16, 16}, four[] = {8, 8, 8, 8}, uneven[] = {13, 7, 4, 1, 1}, one[] = {16};
static const int eight[] = {8};

static struct star_network *of_one_rank(void)
{
    static const int alone[] = {1};
    return network_of_sizes(CHAIN, alone, 1, 1, 1);
}

static void one_rank_needs_no_phase_and_two_need_one(void **state)
{
    (void)state;
    struct star_network *network = of_one_rank();
    struct star_schedule *schedule = schedule_of(network, 1);
    struct star_needed *needed = NULL;
    int count = -1;
    assert_int_equal(schedule->phases, 0);
    assert_int_equal(star_schedule_messages(schedule, 0, NULL, NULL, NULL), 0);
    assert_int_equal(star_schedule_needed(schedule, network, STAR_RULE_EAGER, -1, &needed, &count, NULL), 0);
    assert_int_equal(count, 0);
    free(needed);
    star_schedule_free(schedule);
    star_network_free(network);

    static const int pair[] = {2};
    network = network_of_sizes(CHAIN, pair, 1, 1, 1);
    schedule = schedule_of(network, 1);
    assert_int_equal(schedule->phases, 1);
    assert_int_equal(star_schedule_phase(schedule, 0, 1), 0);
    assert_int_equal(star_schedule_phase(schedule, 1, 0), 0);
    star_schedule_free(schedule);
    star_network_free(network);
}

static void a_message_of_no_rank_is_refused(void **state)
{
    (void)state;
    struct star_network *network = of_one_rank();
    struct star_schedule *schedule = schedule_of(network, 1);
    struct star_why why;
    assert_int_equal(star_schedule_messages(schedule, 1, NULL, NULL, &why), STAR_EINPUT);
    expect_reason(&why, "1");
    star_schedule_free(schedule);
    star_network_free(network);
}

/* Phases by hand: the messages over the busiest link. Syncs: counted by another program. */
static const struct known {
    enum shape shape;
    const int *sizes;
    int switches, ranks_each, phases, syncs;
} known[] = {
    {CHAIN, one, 1, 1, 15, 0},    {CHAIN, two, 2, 1, 256, 30},    {CHAIN, four, 4, 1, 256, 321},
    {STAR, four, 4, 1, 192, 268}, {STAR, uneven, 5, 1, 169, 172}, {CHAIN, eight, 1, 4, 112, 348},
};

static void known_networks_have_their_phases_and_syncs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *it = &known[i];
        struct star_network *network =
            network_of_sizes(it->shape, it->sizes, it->switches, it->ranks_each, 1);
        struct star_schedule *schedule = schedule_of(network, 1);
        struct star_needed *needed = NULL;
        int count = -1;
        expect_good(network);
        assert_int_equal(schedule->phases, it->phases);
        assert_int_equal(
            star_schedule_needed(schedule, network, STAR_RULE_RENDEZVOUS, -1, &needed, &count, NULL), 0);
        assert_int_equal(count, it->syncs);
        free(needed);
        star_schedule_free(schedule);
        star_network_free(network);
    }
}

/* What one rank is told of the needed syncs are its own among all of them. */
static void a_rank_finds_its_own_syncs(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, uneven, 5, 1, 1);
    struct star_schedule *schedule = schedule_of(network, 1);
    struct star_needed *all = NULL, *own = NULL;
    int count = 0, own_count = 0;
    assert_int_equal(star_schedule_needed(schedule, network, STAR_RULE_EAGER, -1, &all, &count, NULL), 0);
    for (int rank = 0; rank < network->ranks; rank++) {
        assert_int_equal(
            star_schedule_needed(schedule, network, STAR_RULE_EAGER, rank, &own, &own_count, NULL), 0);
        int at = 0;
        for (int i = 0; i < count; i++)
            if (all[i].from == rank || all[i].to == rank) {
                assert_true(at < own_count && own[at].from == all[i].from && own[at].to == all[i].to &&
                            own[at].after == all[i].after && own[at].before == all[i].before);
                at++;
            }
        assert_int_equal(at, own_count);
        free(own);
    }
    free(all);
    star_schedule_free(schedule);
    star_network_free(network);
}

static void syncs_are_enough_and_hang_nothing(void **state)
{
    (void)state;
    static const int some[] = {5, 3, 2, 1};
    for (int i = 0; i < 4; i++) {
        struct star_network *network = network_of_sizes(i % 2 ? CHAIN : STAR, some, 4 - i / 2, 1, 1);
        struct star_schedule *schedule = schedule_of(network, 1);
        expect_syncs_enough(network, schedule, STAR_RULE_RENDEZVOUS);
        expect_syncs_enough(network, schedule, STAR_RULE_EAGER);
        star_schedule_free(schedule);
        star_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_needs_no_phase_and_two_need_one),
        cmocka_unit_test(a_message_of_no_rank_is_refused),
        cmocka_unit_test(known_networks_have_their_phases_and_syncs),
        cmocka_unit_test(a_rank_finds_its_own_syncs),
        cmocka_unit_test(syncs_are_enough_and_hang_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
