/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect.h"
#include "topology/network.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/why.h"

#include <stdio.h>

enum { RANKS_MOST = 16, LINKS_MOST = 32 };

static struct star_topology *parsed(const char *text)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(text, strlen(text), "test", &topology, &why))
        fail_msg("%s", why.text);
    return topology;
}

/* The network of ranks on the machines of NAMES, parted by spaces. */
static struct star_network *network_on(const char *text, const char *names)
{
    struct star_topology *topology = parsed(text);
    struct star_network *network = NULL;
    struct star_why why = {{0}};
    int machine[RANKS_MOST], ranks = 0;
    char copy[200], *rest = copy;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name; (name = strsep(&rest, " ")) != NULL;)
        machine[ranks++] = star_topology_machine(topology, name);
    if (star_network_of(topology, machine, ranks, &network, &why))
        fail_msg("%s", why.text);
    star_topology_free(topology);
    return network;
}

static void expect_ints(const int *found, const int *expected, int count)
{
    for (int i = 0; i < count; i++)
        if (found[i] != expected[i])
            fail_msg("at %d: %d is not %d", i, found[i], expected[i]);
}

/* A hub without hosts, three switches; the link of s1 is slow. */
static const char star[] = "switch hub\nswitch s[0-2]\nlink hub s0 800\nlink hub s1 8\nlink hub s2 800\n"
                           "host a[0-2] s0 80\nhost b[0-2] s1 80\nhost c[0-2] s2 80\n";

static void ranks_are_leaves_and_switches_are_above(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 b0 a1 b1 c0 c1");
    assert_int_equal(network->ranks, 6);
    assert_int_equal(network->nodes, 10);
    assert_int_equal(network->parent[9], -1);
    assert_int_equal(network->below[9], 6);
    int s0 = network->parent[0], s1 = network->parent[1], s2 = network->parent[4];
    assert_true(s0 >= 6 && s0 < 9 && s1 >= 6 && s1 < 9 && s2 == 6 + 7 + 8 - s0 - s1);
    assert_int_equal(network->parent[2], s0);
    assert_int_equal(network->parent[3], s1);
    assert_int_equal(network->parent[5], s2);
    assert_true(network->rate[0] == 1e7 && network->rate[s0] == 1e8 && network->rate[s1] == 1e6);
    assert_true(network->rate[9] == 0);
    star_network_free(network);
}

static void ranks_come_depth_first_by_their_least(void **state)
{
    (void)state;
    static const int order[] = {0, 2, 1, 3, 4, 5}, place[] = {0, 2, 1, 3, 4, 5};
    struct star_network *network = network_on(star, "b0 a0 b1 a1 c0 c1");
    expect_ints(network->order, order, 6);
    expect_ints(network->place, place, 6);
    expect_ints(network->first, place, 6);
    star_network_free(network);
    static const int mixed[] = {0, 3, 1, 5, 2, 4};
    network = network_on(star, "c0 a0 b0 c1 b1 a1");
    expect_ints(network->order, mixed, 6);
    star_network_free(network);
}

static void switches_with_one_node_below_are_left_out_and_their_slower_link_counts(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 a1 b0 c0");
    static const int parent[] = {4, 4, 5, 5, 5, -1};
    expect_ints(network->parent, parent, network->nodes);
    assert_int_equal(network->nodes, 6);
    assert_true(network->rate[2] == 1e6);
    assert_true(network->rate[3] == 1e7);
    assert_true(network->rate[4] == 1e8);
    star_network_free(network);
}

static void a_root_with_one_node_below_is_left_out(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "c2 c0");
    static const int parent[] = {2, 2, -1};
    assert_int_equal(network->nodes, 3);
    expect_ints(network->parent, parent, 3);
    assert_true(network->rate[0] == 1e7 && network->rate[1] == 1e7 && network->rate[2] == 0);
    star_network_free(network);
}

static void a_machine_with_several_ranks_is_above_them(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 b0 a0 a0 a1");
    static const int parent[] = {5, 7, 5, 5, 6, 6, 7, -1}, order[] = {0, 2, 3, 4, 1};
    assert_int_equal(network->nodes, 8);
    expect_ints(network->parent, parent, 8);
    expect_ints(network->order, order, 5);
    assert_true(network->rate[0] == 0 && network->rate[5] == 1e7 && network->rate[4] == 1e7);
    assert_true(network->rate[6] == 1e8 && network->rate[1] == 1e6);
    star_network_free(network);
}

static void one_machine_alone_has_no_link(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 a0");
    static const int parent[] = {2, 2, -1};
    expect_ints(network->parent, parent, 3);
    assert_true(network->rate[0] == 0 && network->rate[2] == 0);
    star_network_free(network);
}

static void the_slowest_links_part_clusters(void **state)
{
    (void)state;
    static const char even[] =
        "switch s[0-2]\nlink s0 s1 80\nlink s1 s2 80\nhost a[0-1] s0 800\nhost b[0-1] s1 800\n"
        "host c[0-1] s2 800\n";
    static const int by_switch[] = {0, 1, 2, 0, 1, 2}, slow_alone[] = {0, 1, 0, 0, 1, 0},
                     machines[] = {0, 1, 0, 1, 2, 3}, together[] = {0, 0};
    struct star_network *network = network_on(even, "b0 a0 c0 b1 a1 c1");
    expect_ints(network->cluster, by_switch, 6);
    star_network_free(network);
    network = network_on(star, "a0 b0 c0 a1 b1 c1"); /* one link is slower than the others */
    expect_ints(network->cluster, slow_alone, 6);
    star_network_free(network);
    network = network_on("switch s\nhost n[0-3] s 80\n", "n0 n1 n0 n1 n2 n3"); /* machines are inner nodes */
    assert_int_equal(network->cluster[0], network->cluster[2]);
    assert_int_equal(network->cluster[1], network->cluster[3]);
    expect_ints(network->cluster, machines, 4);
    star_network_free(network);
    network = network_on(star, "a0 a1"); /* nothing to cut */
    expect_ints(network->cluster, together, 2);
    star_network_free(network);
}

static void one_rank_alone_is_the_root(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "b2");
    assert_int_equal(network->nodes, 1);
    assert_int_equal(network->parent[0], -1);
    assert_true(network->rate[0] == 0);
    assert_int_equal(star_network_uses(network, 0, 0, 0), 0);
    star_network_free(network);
}

static void a_rank_off_the_topology_is_refused(void **state)
{
    (void)state;
    struct star_topology *topology = parsed(star);
    struct star_network *network;
    struct star_why why;
    for (int wrong = 0; wrong < 3; wrong++) {
        int machine[] = {star_topology_machine(topology, "a0"), wrong == 0   ? -1
                                                                : wrong == 1 ? topology->root
                                                                             : topology->nodes};
        assert_int_equal(star_network_of(topology, machine, 2, &network, &why), STAR_ENEEDS);
        expect_reason(&why, "rank 1");
    }
    star_topology_free(topology);
}

struct walk {
    int links[LINKS_MOST], count, most;
};

static int note(int directed_link, void *context)
{
    struct walk *walk = context;
    walk->links[walk->count++] = directed_link;
    return walk->count == walk->most ? 7 : 0;
}

static void a_path_goes_up_and_down_over_the_links_that_are_used(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 b0 a0 a0 a1 b1");
    for (int from = 0; from < network->ranks; from++)
        for (int to = 0; to < network->ranks; to++) {
            int seen[LINKS_MOST] = {0};
            struct walk walk = {.most = -1};
            assert_int_equal(star_network_path(network, from, to, note, &walk), 0);
            for (int i = 0; i < walk.count; i++)
                seen[walk.links[i] / 2] += walk.links[i] % 2 ? -1 : 1;
            for (int node = 0; node < network->nodes; node++)
                assert_int_equal(star_network_uses(network, node, from, to), seen[node]);
        }
    struct walk walk = {.most = -1};
    star_network_path(network, 2, 5, note, &walk);
    int s0 = network->parent[4], s1 = network->parent[5], machine = network->parent[2];
    int expected[] = {2 * 2, 2 * machine, 2 * s0, 2 * 5 + 1, 2 * s1 + 1};
    assert_int_equal(walk.count, 5);
    expect_ints(walk.links, expected, 5);
    star_network_free(network);
}

/* Whatever hosts are called, and in whatever order ranks are on them. */
static void equal_trees_have_one_shape(void **state)
{
    (void)state;
    struct star_network *like = network_on(star, "a0 a1 c0 c1");
    const char *const equal[] = {"c2 a0 c1 a2", "a0 c0 a1 c1"};
    const char *const other[] = {"a0 a1 b0 b1", "a0 a1 a2 c0", "a0 a0 c0 c0", "a0 a1 c0", "a0 a1 a2 c0 c1"};
    assert_true(star_network_shape(like) != 0);
    for (int i = 0; i < 7; i++) {
        struct star_network *network = network_on(star, i < 2 ? equal[i] : other[i - 2]);
        assert_int_equal(star_network_shape(network) == star_network_shape(like), i < 2);
        star_network_free(network);
    }
    star_network_free(like);
}

static void a_visit_may_end_the_path(void **state)
{
    (void)state;
    struct star_network *network = network_on(star, "a0 b0 a1 b1");
    for (int most = 1; most <= 4; most++) {
        struct walk walk = {.most = most};
        assert_int_equal(star_network_path(network, 0, 1, note, &walk), 7);
        assert_int_equal(walk.count, most);
    }
    star_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_leaves_and_switches_are_above),
        cmocka_unit_test(ranks_come_depth_first_by_their_least),
        cmocka_unit_test(switches_with_one_node_below_are_left_out_and_their_slower_link_counts),
        cmocka_unit_test(a_root_with_one_node_below_is_left_out),
        cmocka_unit_test(a_machine_with_several_ranks_is_above_them),
        cmocka_unit_test(one_machine_alone_has_no_link),
        cmocka_unit_test(the_slowest_links_part_clusters),
        cmocka_unit_test(one_rank_alone_is_the_root),
        cmocka_unit_test(a_rank_off_the_topology_is_refused),
        cmocka_unit_test(a_path_goes_up_and_down_over_the_links_that_are_used),
        cmocka_unit_test(equal_trees_have_one_shape),
        cmocka_unit_test(a_visit_may_end_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
