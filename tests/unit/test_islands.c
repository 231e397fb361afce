/* SPDX-License-Identifier: BSD-3-Clause
 * Networks of several parts that nothing connects: a job lies within one of them. */
#include "expect.h"
#include "topology/draw.h"
#include "topology/network.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>

static const char text[] =
    "islands\nswitch a\nswitch b\nswitch c\nlink a b 100\nhost a0 a 100\nhost b0 b 100\n"
    "host c0 c 10\nhost c1 c 10\n";

static struct star_topology *parsed(const char *bytes)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(bytes, strlen(bytes), "test", &topology, &why))
        fail_msg("%s", why.text);
    return topology;
}

static void expect_made(void (*make)(const struct star_topology *topology, struct star_text *made),
                        const char *expected)
{
    struct star_topology *topology = parsed(text);
    struct star_text made = {0};
    make(topology, &made);
    assert_string_equal(made.bytes, expected);
    star_text_free(&made);
    star_topology_free(topology);
}

static void they_are_written_as_they_are_read(void **state)
{
    (void)state;
    expect_made(star_topology_write, "islands\nswitch a\nswitch b\nswitch c\nlink a b 100\nhost b0 b 100\n"
                                     "host a0 a 100\nhost c0 c 10\nhost c1 c 10\n");
    expect_made(star_topology_json,
                "{\"switches\": [{\"name\": \"a\", \"parent\": null, \"mbps\": null}, "
                "{\"name\": \"b\", \"parent\": \"a\", \"mbps\": 100}, "
                "{\"name\": \"c\", \"parent\": null, \"mbps\": null}], "
                "\"hosts\": [{\"name\": \"b0\", \"switch\": \"b\", \"mbps\": 100, \"slots\": 1}, "
                "{\"name\": \"a0\", \"switch\": \"a\", \"mbps\": 100, \"slots\": 1}, "
                "{\"name\": \"c0\", \"switch\": \"c\", \"mbps\": 10, \"slots\": 1}, "
                "{\"name\": \"c1\", \"switch\": \"c\", \"mbps\": 10, \"slots\": 1}], "
                "\"spare_links\": 0, \"hosts_by_id\": 0}\n");
}

static void they_are_drawn_one_below_the_other(void **state)
{
    (void)state;
    struct star_topology *topology = parsed(text);
    struct star_text drawn = {0}, picture = {0};
    assert_int_equal(star_topology_draw(topology, &drawn, NULL), 0);
    assert_string_equal(drawn.bytes, "a\n├─ b  100 Mb/s\n│  └─ b0  100 Mb/s\n└─ a0  100 Mb/s\n"
                                     "c\n└─ c0 c1  10 Mb/s\n");
    assert_int_equal(star_topology_svg(topology, &picture, NULL), 0);
    assert_non_null(strstr(picture.bytes, "<title>3 switches, 4 hosts</title>"));
    int links = 0;
    for (const char *at = picture.bytes; (at = strstr(at, "<path ")) != NULL; at++)
        links++;
    assert_int_equal(links, 5);
    star_text_free(&drawn);
    star_text_free(&picture);
    star_topology_free(topology);
}

static void ranks_of_one_island_have_a_network(void **state)
{
    (void)state;
    struct star_topology *topology = parsed(text);
    int a0 = star_topology_machine(topology, "a0"), b0 = star_topology_machine(topology, "b0"),
        c0 = star_topology_machine(topology, "c0"), c1 = star_topology_machine(topology, "c1");
    assert_false(star_topology_parts(topology, a0, b0));
    assert_false(star_topology_parts(topology, c1, c0));
    assert_true(star_topology_parts(topology, a0, c0));
    struct star_network *network = NULL;
    struct star_why why;
    assert_int_equal(star_network_of(topology, (int[]){b0, a0}, 2, &network, &why), 0);
    assert_int_equal(network->nodes, 3);
    assert_int_equal(network->parent[2], -1);
    star_network_free(network);
    assert_int_equal(star_network_of(topology, (int[]){c0, c0, c1}, 3, &network, &why), 0);
    star_network_free(network);
    network = NULL;
    assert_int_equal(star_network_of(topology, (int[]){a0, b0, c1}, 3, &network, &why), STAR_ENEEDS);
    expect_reason(&why, "2 parts of the network that nothing connects");
    assert_null(network);
    star_topology_free(topology);
}

/* The word is no licence for mistakes. */
static void mistakes_are_named_as_ever(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"switch a\nswitch b\nhost n a\nhost m b\n", "test:2: switch 'b' is not connected to 'a'"},
        {"islands\nswitch a\nswitch b\nhost n a\n", "test:3: switch 'b' is not connected to 'a'"},
        {"islands\nswitch a,b,c\nlink a b\nlink b a\nhost n a\nhost m c\n", "test:4: "},
        {"islands\nswitch a\n", "test: no host in it"},
        {"islands\n", "test: no switch in it"},
        {"island\nswitch a\nhost n a\n", "test:1: unknown word 'island': did you mean 'islands'?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_topology *topology = NULL;
        struct star_why why = {{0}};
        assert_int_equal(star_topology_parse(bad[i][0], strlen(bad[i][0]), "test", &topology, &why),
                         STAR_EINPUT);
        assert_int_equal(strncmp(why.text, bad[i][1], strlen(bad[i][1])), 0);
    }
}

static void each_island_of_a_spanning_tree_has_its_least_name_for_a_root(void **state)
{
    (void)state;
    struct star_topology *topology =
        parsed("islands\nspanning-tree\nswitch d,c,b,a\nlink c d\nlink d c\nlink b a\nhost n d\nhost m b\n");
    struct star_text written = {0};
    star_topology_write(topology, &written);
    assert_string_equal(written.bytes,
                        "# A spanning tree: 1 links are spare\nislands\nswitch c\nswitch d\nswitch a\n"
                        "switch b\nlink c d\nhost n d\nlink a b\nhost m b\n");
    star_text_free(&written);
    star_topology_free(topology);
}

static void one_island_is_a_tree(void **state)
{
    (void)state;
    struct star_topology *topology = parsed("islands\nswitch a,b\nlink a b\nhost n b\n");
    assert_int_equal(topology->islands, 0);
    assert_string_equal(topology->node[0].name, "a");
    star_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_written_as_they_are_read),
        cmocka_unit_test(they_are_drawn_one_below_the_other),
        cmocka_unit_test(ranks_of_one_island_have_a_network),
        cmocka_unit_test(mistakes_are_named_as_ever),
        cmocka_unit_test(each_island_of_a_spanning_tree_has_its_least_name_for_a_root),
        cmocka_unit_test(one_island_is_a_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
