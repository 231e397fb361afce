/* SPDX-License-Identifier: BSD-3-Clause
 * Lower bounds of operations on networks, by hand. Hosts' links carry a million bytes a second. */
#include "algorithms/bounds.h"
#include "algorithms/operations.h"
#include "topology/network.h"
#include "trees.h"
#include "util/why.h"

static const int two[] = {16, 16}, four[] = {8, 8, 8, 8}, some[] = {3, 2, 1}, eight[] = {8}, one[] = {1};

static struct star_bound bound_of(enum star_operation operation, const struct star_network *network, int root)
{
    struct star_bound bound;
    struct star_why why = {{0}};
    if (star_bound_of(operation, network, root, 1e6, &bound, &why))
        fail_msg("%s", why.text);
    return bound;
}

static void expect_seconds(double found, double expected)
{
    if (found < expected * (1 - 1e-9) || found > expected * (1 + 1e-9))
        fail_msg("%.9g s is not %.9g s", found, expected);
}

static void all_to_all_and_all_gather_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct {
        enum shape shape;
        const int *sizes;
        int switches;
        double trunk, alltoall, allgather;
    } rows[] = {
        {CHAIN, two, 2, 1, 256, 31}, {CHAIN, four, 4, 1, 256, 31},  {STAR, four, 4, 1, 192, 31},
        {STAR, four, 4, 4, 48, 31},  {CHAIN, two, 2, 0.5, 512, 32},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct star_network *network =
            network_of_sizes(rows[i].shape, rows[i].sizes, rows[i].switches, 1, rows[i].trunk);
        expect_seconds(bound_of(STAR_ALLTOALL, network, 0).seconds, rows[i].alltoall);
        expect_seconds(bound_of(STAR_ALLGATHER, network, 0).seconds, rows[i].allgather);
        expect_seconds(bound_of(STAR_REDUCE_SCATTER_BLOCK, network, 0).seconds, rows[i].allgather);
        expect_seconds(bound_of(STAR_ALLGATHERV, network, 0).seconds, rows[i].allgather / 32);
        expect_seconds(bound_of(STAR_REDUCE_SCATTER, network, 0).seconds, rows[i].allgather / 32);
        star_network_free(network);
    }
}

/* Twice the sum of all but one vector over all links together; 2.00 n with links between switches of half the
 * rate. */
static void an_allreduce_is_limited_by_all_machines_together_or_by_one_slow_link(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, four, 4, 1, 1);
    struct star_bound bound = bound_of(STAR_ALLREDUCE, network, 0);
    expect_seconds(bound.seconds, 2.0 * 31 / 32);
    assert_int_equal(bound.limit, STAR_LIMIT_TOGETHER);
    star_network_free(network);

    network = network_of_sizes(CHAIN, two, 2, 1, 0.5);
    bound = bound_of(STAR_ALLREDUCE, network, 0);
    expect_seconds(bound.seconds, 2);
    assert_true(bound.limit / 2 >= network->ranks && bound.limit / 2 < network->nodes - 1);
    star_network_free(network);

    network = network_of_sizes(CHAIN, eight, 1, 4, 1); /* what is on one machine costs nothing */
    expect_seconds(bound_of(STAR_ALLREDUCE, network, 0).seconds, 2.0 * 7 / 8);
    star_network_free(network);
}

/* A host's link is the only slow one; the way that counts leads from the root or to it. */
static void rooted_operations_count_one_way(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, some, 3, 1, 1); /* ranks 012, 34, 5 */
    network->rate[4] = 0.25e6;
    assert_int_equal(bound_of(STAR_BCAST, network, 0).limit, 2 * 4 + 1);
    expect_seconds(bound_of(STAR_BCAST, network, 0).seconds, 4);
    assert_int_equal(bound_of(STAR_BCAST, network, 4).limit, 2 * 4);
    assert_int_equal(bound_of(STAR_REDUCE, network, 0).limit, 2 * 4);
    assert_int_equal(bound_of(STAR_REDUCE, network, 4).limit, 2 * 4 + 1);
    expect_seconds(bound_of(STAR_REDUCE, network, 4).seconds, 4);
    expect_seconds(bound_of(STAR_SCATTER, network, 4).seconds, 5 * 4);
    assert_int_equal(bound_of(STAR_SCATTER, network, 4).limit, 2 * 4);
    expect_seconds(bound_of(STAR_GATHER, network, 4).seconds, 5 * 4);
    assert_int_equal(bound_of(STAR_GATHER, network, 4).limit, 2 * 4 + 1);
    expect_seconds(bound_of(STAR_SCATTER, network, 0).seconds, 5);
    assert_int_equal(bound_of(STAR_SCATTER, network, 0).limit, 0);
    expect_seconds(bound_of(STAR_GATHER, network, 0).seconds, 5);
    assert_int_equal(bound_of(STAR_GATHER, network, 0).limit, 1);
    star_network_free(network);
}

/* By blocks one prefix passes between two switches; with ranks by turns there are 16 and 15. */
static void prefixes_cross_where_neighbours_are_parted(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(CHAIN, two, 2, 1, 0.5);
    expect_seconds(bound_of(STAR_SCAN, network, 0).seconds, 2);
    expect_seconds(bound_of(STAR_EXSCAN, network, 0).seconds, 2);
    star_network_free(network);

    struct tree tree = {.nodes = 0};
    int first = add_node(&tree, -1, false, 0), second = add_node(&tree, first, false, mbps(0.5));
    for (int i = 0; i < 32; i++)
        add_ranks(&tree, add_node(&tree, i % 2 ? second : first, true, mbps(1)), 1);
    network = network_of(&tree);
    expect_seconds(bound_of(STAR_SCAN, network, 0).seconds, 32);
    assert_int_equal(bound_of(STAR_SCAN, network, 0).limit, 2 * 32 + 1); /* from even ranks to odd ones */
    star_network_free(network);
}

static void nothing_limits_one_rank_a_barrier_or_one_machine(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, four, 4, 1, 1);
    assert_int_equal(bound_of(STAR_BARRIER, network, 0).limit, STAR_LIMIT_NONE);
    assert_true(bound_of(STAR_BARRIER, network, 0).seconds == 0);
    star_network_free(network);
    for (int ranks = 1; ranks <= 4; ranks += 3) {
        network = network_of_sizes(CHAIN, one, 1, ranks, 1);
        for (enum star_operation operation = 0; operation < STAR_OPERATIONS; operation++) {
            if (star_operations[operation].measure == STAR_UNKNOWN)
                continue;
            assert_true(bound_of(operation, network, 0).seconds == 0);
            assert_int_equal(bound_of(operation, network, 0).limit, STAR_LIMIT_NONE);
        }
        star_network_free(network);
    }
}

static void what_is_not_known_is_refused(void **state)
{
    (void)state;
    struct star_network *network = network_of_sizes(STAR, four, 4, 1, 1);
    struct star_bound bound;
    struct star_why why = {{0}};
    for (enum star_operation operation = 0; operation < STAR_OPERATIONS; operation++) {
        int error = star_bound_of(operation, network, 0, 1, &bound, &why);
        assert_int_equal(error, star_operations[operation].measure == STAR_UNKNOWN ? STAR_ENEEDS : 0);
    }
    assert_int_equal(star_bound_of(STAR_SCATTERV, network, 0, 1, &bound, &why), STAR_ENEEDS);
    expect_reason(&why, "scatterv");
    assert_int_equal(star_bound_of(STAR_BCAST, network, 32, 1, &bound, &why), STAR_EINPUT);
    expect_reason(&why, "root 32");
    star_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_to_all_and_all_gather_are_those_of_the_table),
        cmocka_unit_test(an_allreduce_is_limited_by_all_machines_together_or_by_one_slow_link),
        cmocka_unit_test(rooted_operations_count_one_way),
        cmocka_unit_test(prefixes_cross_where_neighbours_are_parted),
        cmocka_unit_test(nothing_limits_one_rank_a_barrier_or_one_machine),
        cmocka_unit_test(what_is_not_known_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
