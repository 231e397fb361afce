/* SPDX-License-Identifier: BSD-3-Clause
 * Streams on a true network, simulated, against the tree that was inferred: the right one, and wrong ones. */
#include "crossing.h"
#include "topology/confirm.h"
#include "topology/streams.h"
#include "topology/topology.h"
#include "util/why.h"

/* What the network really is. Machines have the same names in the inferred tree. */
struct network {
    struct star_topology *truth, *inferred;
    double payload;      /* of a link's bandwidth */
    int runs, broken_at; /* the run that fails, −1: none */
    int disturbed;       /* so many runs at first are a fifth slower */
};

static int place(const struct network *network, int node)
{
    return star_topology_machine(network->truth, network->inferred->node[node].name);
}

static int simulate(const struct star_stream *streams, int count, double *mbps, int left, void *context,
                    struct star_why *why)
{
    struct network *network = context;
    struct star_stream true_streams[CROSSING_NODES];
    assert_true(left >= 0);
    if (network->runs++ == network->broken_at)
        return star_because(why, STAR_ESYSTEM, "broken");
    for (int i = 0; i < count; i++)
        true_streams[i] =
            (struct star_stream){place(network, streams[i].from), place(network, streams[i].to)};
    carry(network->truth, true_streams, count, mbps);
    for (int i = 0; i < count; i++)
        mbps[i] *= network->payload * (network->runs <= network->disturbed ? 0.8 : 1);
    return 0;
}

static int confirm(const char *truth, const char *inferred, struct network *network, struct star_why *why)
{
    *network =
        (struct network){read_topology(truth), read_topology(inferred), 0.94, 0, -1, network->disturbed};
    struct star_streams streams = {simulate, network};
    return star_confirm(network->inferred, &streams, why);
}

static void forget(struct network *network)
{
    star_topology_free(network->truth);
    star_topology_free(network->inferred);
}

static const char two_by_four[] = "switch s[0-1]\nlink s0 s1 100\nhost n[0-3] s0 100\nhost n[4-7] s1 100\n";
static const char chain[] =
    "switch s[0-3]\nlink s0 s1 25\nlink s1 s2 1000\nlink s2 s3 55\nhost n[0-1] s0 100\n"
    "host n[2-3] s1 100\nhost n[4-5] s2 100\nhost n[6-7] s3 100\n";

static void the_right_tree_gets_its_bandwidths(void **state)
{
    (void)state;
    struct network network = {0};
    struct star_why why = {{0}};
    if (confirm(two_by_four, "switch a\nswitch b\nlink a b\nhost n[4-7] b\nhost n[0-3] a\n", &network, &why))
        fail_msg("%s", why.text);
    assert_true(network.inferred->has_speeds);
    for (int i = 1; i < network.inferred->nodes; i++)
        assert_true(network.inferred->node[i].mbps == 100);
    assert_true(network.runs < 30);
    forget(&network);
}

/* Both streams of some machines were disturbed. */
static void a_link_that_seems_slow_is_measured_again(void **state)
{
    (void)state;
    for (int disturbed = 1; disturbed < 8; disturbed++) {
        struct network network = {.disturbed = disturbed};
        struct star_why why = {{0}};
        if (confirm(two_by_four, two_by_four, &network, &why))
            fail_msg("%s", why.text);
        for (int i = 1; i < network.inferred->nodes; i++)
            assert_true(network.inferred->node[i].mbps == 100);
        forget(&network);
    }
}

static void trunks_are_as_fast_as_they_can_be_filled(void **state)
{
    (void)state;
    struct network network = {0};
    struct star_why why = {{0}};
    if (confirm(chain, chain, &network, &why))
        fail_msg("%s", why.text);
    const struct star_node *node = network.inferred->node;
    for (int i = 1; i < network.inferred->nodes; i++) {
        if (node[i].machine)
            assert_true(node[i].mbps == 100);
        else if (strcmp(node[i].name, "s1") == 0)
            assert_true(node[i].mbps == 24); /* 25 less framing, two digits */
        else if (strcmp(node[i].name, "s2") == 0)
            assert_true(fabs(node[i].mbps - 210) < 1e-9); /* two of 94 and two of 12: the others are slow */
        else
            assert_true(node[i].mbps == 52);
    }
    forget(&network);
}

static void a_trunk_that_nobody_inferred_is_noticed(void **state)
{
    (void)state;
    struct network network = {0};
    struct star_why why;
    assert_int_equal(confirm(two_by_four, "switch a\nhost n[0-7] a\n", &network, &why), STAR_ENEEDS);
    expect_reason(&why, "the tree is wrong");
    assert_false(network.inferred->has_speeds);
    forget(&network);
}

static void machines_on_the_wrong_switch_are_noticed(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "switch a\nswitch b\nlink a b\nhost n[0-1] a\nhost n[4-5] a\nhost n[2-3] b\nhost n[6-7] b\n",
        "switch a\nswitch b\nlink a b\nhost n0 a\nhost n2 a\nhost n4 a\nhost n6 a\nhost n1 b\nhost n3 b\n"
        "host n5 b\nhost n7 b\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct network network = {0};
        struct star_why why;
        assert_int_equal(confirm(two_by_four, wrong[i], &network, &why), STAR_ENEEDS);
        expect_reason(&why, "the tree is wrong");
        forget(&network);
    }
}

static void an_error_of_a_stream_ends_all(void **state)
{
    (void)state;
    struct star_why why;
    int error = STAR_ESYSTEM, at = 0;
    for (; error; at++) {
        struct network network = {read_topology(two_by_four), read_topology(two_by_four), 1, 0, at, 0};
        struct star_streams streams = {simulate, &network};
        error = star_confirm(network.inferred, &streams, &why);
        assert_true(error == 0 || error == STAR_ESYSTEM);
        forget(&network);
    }
    assert_true(at > 8);
}

static void bandwidths_are_usual_ones_or_of_two_digits(void **state)
{
    (void)state;
    static const double pairs[][2] = {{94.1, 100},  {941, 1000},  {9400, 10000}, {23400, 25000},  {85, 85},
                                      {188.2, 190}, {1234, 1200}, {0.94, 0.94},  {380000, 400000}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_true(fabs(star_usual_mbps(pairs[i][0]) - pairs[i][1]) < 1e-9 * pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_tree_gets_its_bandwidths),
        cmocka_unit_test(a_link_that_seems_slow_is_measured_again),
        cmocka_unit_test(trunks_are_as_fast_as_they_can_be_filled),
        cmocka_unit_test(a_trunk_that_nobody_inferred_is_noticed),
        cmocka_unit_test(machines_on_the_wrong_switch_are_noticed),
        cmocka_unit_test(an_error_of_a_stream_ends_all),
        cmocka_unit_test(bandwidths_are_usual_ones_or_of_two_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
