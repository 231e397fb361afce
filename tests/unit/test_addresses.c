/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm's addresses of nodes, and the trees that they say. */
#include "expect.h"
#include "topology/addresses.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/text.h"
#include "util/why.h"

static void addresses_of_switches_and_a_node_are_usable(void **state)
{
    (void)state;
    assert_true(star_address_is_usable("s0.n1", "switch.node"));
    assert_true(star_address_is_usable("core.leaf3.n17", "switch.switch.node"));
    assert_string_equal(star_address_node("core.leaf3.n17"), "n17");
}

static void others_are_not(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {NULL, "switch.node"},
        {"s0.n1", NULL},
        {"n1", "node"},
        /* no switch */ {"s0.n1", "switch.switch.node"},
        {"s0.s1.n1", "switch.node"},
        {"s0", "switch.node"},
        {"s0.", "switch.node"},
        {"s0.n1", "block.node"},
        {"s0.n1", "switch.nodes"},
        {"s0.n1", "switch"},
        {"", ""},
        {"s0.n1\ns0.n2", "switch.node"},
        {"s0.n1", "switches.node"},
        {"s[0-1].n1", "switch.node"},
        {"s0.n[0-999999]", "switch.node"},
        {"s0,s1.n1", "switch.node"},
        {"s0..n1", "switch.switch.node"},
        {"s0.n1 slots=9", "switch.node"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (star_address_is_usable(pairs[i][0], pairs[i][1]))
            fail_msg("pair %zu", i);
}

static void expect_text(const char *lines, const char *expected)
{
    struct star_text text = {0};
    star_addresses_write(lines, strlen(lines), &text);
    assert_false(text.failed);
    assert_string_equal(text.length ? text.bytes : "", expected);
    star_text_free(&text);
}

static void everything_is_said_once(void **state)
{
    (void)state;
    expect_text("", "");
    expect_text("\n\n", "");
    expect_text("s.n1\ns.n1\n\ns.n2\ns.n1\n", "switch s\nhost n1 s\nhost n2 s\n");
    /* Ranks come in any order, and names begin alike. */
    expect_text("core.l10.n1\ncore.l1.n3\ncore.l1.n30\ncore.l10.n2\ncore.l1.n3\n",
                "switch core\nswitch l1\nlink core l1\nhost n3 l1\nhost n30 l1\n"
                "switch l10\nlink core l10\nhost n1 l10\nhost n2 l10\n");
}

static void it_is_a_topology(void **state)
{
    (void)state;
    struct star_text text = {0};
    struct star_topology *topology;
    struct star_why why;
    const char lines[] = "core.a.n1\ncore.b.n2\ncore.a.n3\ncore.c.d.n4\n";
    star_addresses_write(lines, strlen(lines), &text);
    if (star_topology_parse(text.bytes, text.length, "addresses", &topology, &why))
        fail_msg("%s", why.text);
    assert_int_equal(topology->machines, 4);
    int first = star_topology_machine(topology, "n1"), third = star_topology_machine(topology, "n3"),
        fourth = star_topology_machine(topology, "n4");
    assert_int_equal(topology->node[first].parent, topology->node[third].parent);
    assert_string_equal(topology->node[topology->node[fourth].parent].name, "d");
    star_topology_free(topology);
    star_text_free(&text);
}

/* Jobs over two trees that nothing joins, and a node at two places. */
static void what_is_no_tree_is_refused_by_the_reader(void **state)
{
    (void)state;
    static const char *const all[] = {"a.n1\nb.n2\n", "a.b.n1\na.c.n1\n", "a.b.n1\nb.a.n2\n", "a.a.n1\n"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct star_text text = {0};
        struct star_topology *topology = NULL;
        struct star_why why = {{0}};
        star_addresses_write(all[i], strlen(all[i]), &text);
        assert_int_equal(star_topology_parse(text.bytes, text.length, "addresses", &topology, &why),
                         STAR_EINPUT);
        expect_one_line(why.text);
        star_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_switches_and_a_node_are_usable),
        cmocka_unit_test(others_are_not),
        cmocka_unit_test(everything_is_said_once),
        cmocka_unit_test(it_is_a_topology),
        cmocka_unit_test(what_is_no_tree_is_refused_by_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
