/* SPDX-License-Identifier: BSD-3-Clause
 * The text format, what makes a topology, and what is written of it. */
#include "expect.h"
#include "topology/draw.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/file.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>

static struct star_topology *parsed(const char *text)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(text, strlen(text), "test", &topology, &why))
        fail_msg("%s", why.text);
    return topology;
}

static void expect_refused(const char *text, size_t length, const char *place, const char *word)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(text, length, "test", &topology, &why) != STAR_EINPUT)
        fail_msg("'%s' was not refused", text);
    assert_null(topology);
    if (strncmp(why.text, place, strlen(place)) != 0)
        fail_msg("'%s' does not begin with '%s'", why.text, place);
    expect_reason(&why, word);
}

static void expect_text(const struct star_topology *topology,
                        void (*write)(const struct star_topology *topology, struct star_text *text),
                        const char *expected)
{
    struct star_text text = {0};
    write(topology, &text);
    assert_string_equal(text.bytes, expected);
    star_text_free(&text);
}

static void expect_written(const char *text, const char *expected)
{
    struct star_topology *topology = parsed(text);
    expect_text(topology, star_topology_write, expected);
    star_topology_free(topology);
}

static void statements_may_stand_in_any_order(void **state)
{
    (void)state;
    expect_written("\xef\xbb\xbf# comment\r\n\r\nhost n1 s1 1G slots=4 # behind\r\nlink s0 s1 2.5G\r\n"
                   "host n0 s0 100M\r\n\tswitch\ts0\r\nswitch s1\r\n",
                   "switch s0\nswitch s1\nlink s0 s1 2500\nhost n1 s1 1000 slots=4\nhost n0 s0 100\n");
}

static void lists_are_expanded_with_their_zeros(void **state)
{
    (void)state;
    expect_written("switch s[0-1]\nlink s0 s1\nhost a[08-10,7],b s0\nhost r[0-1]n[0-1] s1 slots=2",
                   "switch s0\nswitch s1\nlink s0 s1\nhost r0n0 s1 slots=2\nhost r0n1 s1 slots=2\n"
                   "host r1n0 s1 slots=2\nhost r1n1 s1 slots=2\nhost a08 s0\nhost a09 s0\nhost a10 s0\n"
                   "host a7 s0\nhost b s0\n");
}

static void bandwidths_have_units_and_survive_writing(void **state)
{
    (void)state;
    static const struct {
        const char *word, *written;
    } words[] = {{"100", "100"},
                 {"100M", "100"},
                 {"100k", "0.1"},
                 {"1G", "1000"},
                 {"2.5g", "2500"},
                 {"0.4T", "400000"},
                 {".5", "0.5"},
                 {"1e3", "1000"},
                 {"33.3", "33.3"},
                 {"1234567", "1234567"},
                 {"1e9", "1e+09"},
                 {"0.01", "0.01"},
                 {"0.1234567890123", "0.1234567890123"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[100], expected[100];
        snprintf(text, sizeof text, "switch s\nhost n s %s", words[i].word);
        snprintf(expected, sizeof expected, "switch s\nhost n s %s\n", words[i].written);
        expect_written(text, expected);
        expect_written(expected, expected);
    }
}

static void without_bandwidths_only_their_ratios_matter(void **state)
{
    (void)state;
    struct star_topology *topology = parsed("switch s\nhost n[0-1] s");
    assert_false(topology->has_speeds);
    assert_true(topology->node[1].mbps == STAR_MBPS_PRESET && topology->node[2].mbps == STAR_MBPS_PRESET);
    star_topology_free(topology);
    topology = parsed("switch s\nhost n0 s\nhost n1 s 10");
    assert_true(topology->has_speeds);
    star_topology_free(topology);
}

static void nodes_come_depth_first(void **state)
{
    (void)state;
    struct star_topology *topology = parsed("switch a\nswitch c\nswitch b\nhost n0 b\nhost n1 a\nhost n2 c\n"
                                            "link a b\nlink b c\n");
    static const char *const names[] = {"a", "b", "c", "n2", "n0", "n1"};
    static const int parents[] = {-1, 0, 1, 2, 1, 0};
    assert_int_equal(topology->nodes, 6);
    assert_int_equal(topology->machines, 3);
    assert_int_equal(topology->root, 0);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(topology->node[i].name, names[i]);
        assert_int_equal(topology->node[i].parent, parents[i]);
    }
    star_topology_free(topology);
}

static void full_and_short_names_find_each_other(void **state)
{
    (void)state;
    struct star_topology *topology = parsed("switch s\nhost n1,n10,m.a.org,k.a.org,k.b.org,n2.a,n2 s");
    static const struct {
        const char *asked, *found;
    } names[] = {{"n1", "n1"},           {"n10", "n10"},    {"n1.a.org", "n1"}, {"m", "m.a.org"},
                 {"m.a.org", "m.a.org"}, {"m.b.org", NULL}, {"k", NULL},        {"k.a.org", "k.a.org"},
                 {"n2", "n2"},           {"n2.a", "n2.a"},  {"n2.b", "n2"},     {"n", NULL},
                 {"n100", NULL},         {"s", NULL},       {"", NULL},         {"zz", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int node = star_topology_machine(topology, names[i].asked);
        if (names[i].found == NULL)
            assert_int_equal(node, -1);
        else
            assert_string_equal(topology->node[node].name, names[i].found);
    }
    star_topology_free(topology);
}

static void a_spanning_tree_goes_the_cheapest_way_to_the_least_name(void **state)
{
    (void)state;
    /* The root is a. d has 10 over b (1/100 + 1/10), 1000 over c (1/100 + 1/1000): c. */
    expect_written(
        "spanning-tree\nswitch d\nswitch c\nswitch b\nswitch a\nlink a b 100\nlink a c 100\n"
        "link b d 10\nlink c d 1000\nhost n[0-1] d 100\nhost m b",
        "# A spanning tree: 1 links are spare\nswitch a\nswitch c\nswitch d\nswitch b\n"
        "link a c 100\nlink c d 1000\nhost n0 d 100\nhost n1 d 100\nlink a b 100\nhost m b 1000\n");
}

static void equal_ways_are_decided_by_names_then_by_lines(void **state)
{
    (void)state;
    /* b and c are as near; of the two links of a and b the faster one counts; c has no machine: it is left
     * out. */
    struct star_topology *topology = parsed("spanning-tree\nswitch a,c,b,d\nlink a c\nlink a b\nlink a b 2G\n"
                                            "link c d\nlink b d 500\nlink b d 1000\nhost n d");
    int n = star_topology_machine(topology, "n"), d = topology->node[n].parent, b = topology->node[d].parent;
    assert_string_equal(topology->node[b].name, "b");
    assert_true(topology->node[d].mbps == 1000 && topology->node[b].mbps == 2000);
    assert_int_equal(topology->nodes, 4);
    assert_int_equal(topology->spare, 4);
    star_topology_free(topology);
    topology = parsed("spanning-tree\nswitch a,c,b,d\nlink a c\nlink a b\nlink c d\nlink b d\nhost n d");
    d = topology->node[star_topology_machine(topology, "n")].parent;
    assert_string_equal(topology->node[topology->node[d].parent].name, "b");
    star_topology_free(topology);
}

struct bad {
    const char *text, *place, *word;
};

static void expect_all_refused(const struct bad *bad, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_refused(bad[i].text, strlen(bad[i].text), bad[i].place, bad[i].word);
}

static void incomplete_lines_are_named(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"", "test: ", "no switch in it"},
        {"# nothing\n\n", "test: ", "no switch in it"},
        {"switch s\n", "test: ", "no host"},
        {"switch s\nhots n s\n", "test:2: ", "did you mean 'host'?"},
        {"xyzzyxyzzy\n", "test:1: ", "'xyzzyxyzzy'"},
        {"switch\n", "test:1: ", "switch NAME"},
        {"switch s t\n", "test:1: ", "nothing else"},
        {"switch s\nlink s\n", "test:2: ", "two ends"},
    };
    expect_all_refused(bad, sizeof bad / sizeof *bad);
}

static void what_is_no_tree_is_named(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"switch sw0\nhost n sw1\n", "test:2: ", "unknown switch 'sw1': did you mean 'sw0'?"},
        {"switch s\nhost n s\nlink s t\n", "test:3: ", "unknown switch 't'"},
        {"switch s\nhost n s\nhost m n\n", "test:3: ", "'n' is a host, not a switch"},
        {"switch s\nhost n s\nlink s n\n", "test:3: ", "'n' is a host, not a switch"},
        {"switch s\nhost n s\n\nhost n s\n", "test:4: ", "'n' is the name of a host in line 2 already"},
        {"switch s\nhost n[0-3] s\nhost n[3-5] s\n", "test:3: ", "'n3'"},
        {"switch s\nswitch s\nhost n s", "test:2: ", "'s' is the name of a switch in line 1"},
        {"switch s\nhost s s\n", "test:2: ", "'s' is the name of a switch"},
        {"switch a,b,c\nlink a b\nlink b c\nlink c a\nhost n a\n", "test:4: ", "closes a cycle"},
        {"switch a\nlink a a\nhost n a\n", "test:2: ", "closes a cycle"},
        {"switch a,b\nlink a b\nlink a b\nhost n a\nhost m b", "test:3: ", "'a' and 'b' closes a cycle"},
        {"switch a\nswitch b\nhost n a\nhost m b\n", "test:2: ", "switch 'b' is not connected to 'a'"},
        {"spanning-tree\nswitch a\nswitch b\nhost n b\n", "test:3: ", "not connected"},
        {"switch a,b\nlink a b\nhost n a\n", "test:1: ", "switch 'b' has no host"},
    };
    expect_all_refused(bad, sizeof bad / sizeof *bad);
}

static void bad_numbers_are_named(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"switch s\nhost n s 0\n", "test:2: ", "from 0.01 to 1e+09"},
        {"switch s\nhost n s -5\n", "test:2: ", "from 0.01"},
        {"switch s\nhost n s 1e30\n", "test:2: ", "from 0.01"},
        {"switch s\nhost n s 2000T\n", "test:2: ", "from 0.01"},
        {"switch s\nhost n s nan\n", "test:2: ", "'nan' is no bandwidth"},
        {"switch s\nhost n s inf\n", "test:2: ", "'inf' is no bandwidth"},
        {"switch s\nhost n s 10%\n", "test:2: ", "no bandwidth"},
        {"switch s\nhost n s G\n", "test:2: ", "no bandwidth"},
        {"switch s\nhost n s 1GG\n", "test:2: ", "no bandwidth"},
        {"switch s\nhost n s 0x10\n", "test:2: ", "no bandwidth"},
        {"switch s\nhost n s 10 20\n", "test:2: ", "'20' is too much"},
        {"switch s,t\nlink s t slots=2\nhost n s\n", "test:2: ", "no bandwidth"},
        {"switch s\nhost n s slots=0\n", "test:2: ", "from 1 to 65536"},
        {"switch s\nhost n s slots=65537\n", "test:2: ", "from 1 to 65536"},
        {"switch s\nhost n s slots=99999999999999999999\n", "test:2: ", "from 1 to 65536"},
        {"switch s\nhost n s slots=\n", "test:2: ", "slots="},
    };
    expect_all_refused(bad, sizeof bad / sizeof *bad);
}

static void bad_names_are_named(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"switch s\nhost n\n", "test:2: ", "needs a switch"},
        {"switch s\nhost n[0- s\n", "test:2: ", "a [ without its ]"},
        {"switch s\nhost n[0-] s\n", "test:2: ", "numbers and ranges"},
        {"switch s\nhost n[] s\n", "test:2: ", "numbers and ranges"},
        {"switch s\nhost n[a-b] s\n", "test:2: ", "numbers and ranges"},
        {"switch s\nhost n[0-1,] s\n", "test:2: ", "numbers and ranges"},
        {"switch s\nhost n[0-1-2] s\n", "test:2: ", "a ] at the end"},
        {"switch s\nhost n[3-1] s\n", "test:2: ", "ends before it begins"},
        {"switch s\nhost n0] s\n", "test:2: ", "a ] without its ["},
        {"switch s\nhost n0, s\n", "test:2: ", "a name is missing"},
        {"switch s\nhost ,n0 s\n", "test:2: ", "a name is missing"},
        {"switch s\nhost n[0-99999999999] s\n", "test:2: ", "too many names"},
        {"switch s\nhost n[0-99999999999999999999] s\n", "test:2: ", "numbers and ranges"},
        {"switch s\nhost n[0-9999]x[0-9999] s\n", "test:2: ", "more than 1048576"},
        {"switch s\nhost n%d s\n", "test:2: ", "'n%d' is no name"},
        {"switch s\nhost n\xc3\xa4 s\n", "test:2: ", "is no name"},
    };
    expect_all_refused(bad, sizeof bad / sizeof *bad);
}

static void a_zero_byte_is_no_text(void **state)
{
    (void)state;
    static const char text[] = "switch s\nhost n\0 s\n";
    expect_refused(text, sizeof text - 1, "test:2: ", "a 0 byte");
    expect_refused("\x7f"
                   "ELF\x02\x01\x01\0",
                   8, "test:1: ", "a 0 byte");
}

static void names_may_not_be_too_long(void **state)
{
    (void)state;
    char name[STAR_NODE_NAME_MOST + 2], text[2 * sizeof name + 40];
    memset(name, 'n', sizeof name);
    name[STAR_NODE_NAME_MOST] = 0;
    snprintf(text, sizeof text, "switch s\nhost %s s\n", name);
    star_topology_free(parsed(text));
    snprintf(text, sizeof text, "switch s\nhost %sn s\n", name);
    expect_refused(text, strlen(text), "test:2: ", "is no name");
    snprintf(text, sizeof text, "switch s\nhost %s[10-11] s\n", name);
    expect_refused(text, strlen(text), "test:2: ", "too long");
}

static void a_file_that_is_too_large_is_refused_unread(void **state)
{
    (void)state;
    expect_refused("", (size_t)STAR_FILE_BYTES_MOST + 1, "test: ", "more than 256 MiB");
}

static void a_chain_of_many_switches_needs_no_deep_stack(void **state)
{
    (void)state;
    int switches = trials(200000, 50000);
    struct star_text text = {0}, again = {0};
    star_text_add(&text, "switch s[0-%d]\n", switches - 1);
    for (int i = 1; i < switches; i++)
        star_text_add(&text, "link s%d s%d\n", i - 1, i);
    star_text_add(&text, "host n s%d\n", switches - 1);
    struct star_topology *topology = parsed(text.bytes);
    assert_int_equal(topology->nodes, switches + 1);
    star_topology_write(topology, &again);
    assert_false(again.failed);
    star_topology_free(topology);
    star_text_free(&text);
    star_text_free(&again);
}

static void files_are_read_and_missing_ones_named(void **state)
{
    (void)state;
    struct star_topology *topology = NULL;
    struct star_why why;
    assert_int_equal(star_topology_read("/nonexistent/topology", &topology, &why), STAR_ESYSTEM);
    expect_reason(&why, "/nonexistent/topology: No such file");
    assert_int_equal(star_topology_read("/", &topology, &why), STAR_ESYSTEM);
    expect_reason(&why, "Is a directory");
    assert_int_equal(star_topology_read("/dev/zero", &topology, &why), STAR_EINPUT);
    expect_reason(&why, "/dev/zero: more than 256 MiB");
}

static const char small[] = "switch hub\nswitch s\nlink hub s 1G\nhost a[0-9] s 100\nhost b hub 100 slots=2\n"
                            "host c hub 100\n";

static void json_holds_everything(void **state)
{
    (void)state;
    struct star_topology *topology =
        parsed("spanning-tree\nswitch a,b\nlink a b 10\nlink a b\nhost n b 100 slots=3");
    expect_text(topology, star_topology_json,
                "{\"switches\": [{\"name\": \"a\", \"parent\": null, \"mbps\": null}, "
                "{\"name\": \"b\", \"parent\": \"a\", \"mbps\": 1000}], "
                "\"hosts\": [{\"name\": \"n\", \"switch\": \"b\", \"mbps\": 100, \"slots\": 3}], "
                "\"spare_links\": 1, \"hosts_by_id\": 0}\n");
    star_topology_free(topology);
}

static void the_terminal_shows_the_tree(void **state)
{
    (void)state;
    struct star_topology *topology = parsed(small);
    struct star_text text = {0};
    assert_int_equal(star_topology_draw(topology, &text, NULL), 0);
    assert_string_equal(text.bytes, "hub\n"
                                    "├─ s  1 Gb/s\n"
                                    "│  └─ a0 a1 a2 … a9 (10)  100 Mb/s\n"
                                    "├─ b  100 Mb/s  2 slots\n"
                                    "└─ c  100 Mb/s\n");
    star_text_free(&text);
    star_topology_free(topology);
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        found++;
    return found;
}

static void a_picture_has_each_node_and_each_link(void **state)
{
    (void)state;
    struct star_topology *topology = parsed(small);
    struct star_text text = {0};
    assert_int_equal(star_topology_svg(topology, &text, NULL), 0);
    assert_int_equal(strncmp(text.bytes, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
    assert_int_equal(count(text.bytes, "class=\"switch\""), 2);
    assert_int_equal(count(text.bytes, "class=\"host\""), 12);
    assert_int_equal(count(text.bytes, "<path "), 13);
    assert_int_equal(count(text.bytes, ">a9</text>"), 1);
    assert_int_equal(count(text.bytes, ">1 Gb/s</text>"), 1);
    assert_int_equal(count(text.bytes, "nan") + count(text.bytes, "inf"), 0);
    assert_string_equal(text.bytes + text.length - 7, "</svg>\n");
    star_text_free(&text);
    star_topology_free(topology);
}

/* A picture of a million hosts took gigabytes. */
static void a_picture_that_nobody_could_look_at_is_refused(void **state)
{
    (void)state;
    struct star_topology *topology = parsed("switch s\nhost n[0-20000] s\n");
    struct star_text text = {0};
    struct star_why why;
    assert_int_equal(star_topology_svg(topology, &text, &why), STAR_ELIMIT);
    expect_reason(&why, "20002 rows: at most 20000");
    assert_int_equal(star_topology_draw(topology, &text, &why), 0); /* they share a line */
    assert_string_equal(text.bytes, "s\n└─ n0 n1 n2 … n20000 (20001)\n");
    star_topology_free(topology);
    star_text_free(&text);
    star_text_add(&text, "switch s\nlink s t[0-49999]\nswitch t[0-49999]\n");
    for (int i = 0; i < 50000; i++)
        star_text_add(&text, "host n%d t%d\n", i, i);
    topology = parsed(text.bytes);
    text.length = 0;
    assert_int_equal(star_topology_draw(topology, &text, &why), STAR_ELIMIT);
    expect_reason(&why, "100001 rows: at most 100000");
    assert_int_equal(text.length, 0);
    star_topology_free(topology);
    star_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_may_stand_in_any_order),
        cmocka_unit_test(lists_are_expanded_with_their_zeros),
        cmocka_unit_test(bandwidths_have_units_and_survive_writing),
        cmocka_unit_test(without_bandwidths_only_their_ratios_matter),
        cmocka_unit_test(nodes_come_depth_first),
        cmocka_unit_test(full_and_short_names_find_each_other),
        cmocka_unit_test(a_spanning_tree_goes_the_cheapest_way_to_the_least_name),
        cmocka_unit_test(equal_ways_are_decided_by_names_then_by_lines),
        cmocka_unit_test(incomplete_lines_are_named),
        cmocka_unit_test(what_is_no_tree_is_named),
        cmocka_unit_test(bad_numbers_are_named),
        cmocka_unit_test(bad_names_are_named),
        cmocka_unit_test(a_zero_byte_is_no_text),
        cmocka_unit_test(names_may_not_be_too_long),
        cmocka_unit_test(a_file_that_is_too_large_is_refused_unread),
        cmocka_unit_test(a_chain_of_many_switches_needs_no_deep_stack),
        cmocka_unit_test(files_are_read_and_missing_ones_named),
        cmocka_unit_test(json_holds_everything),
        cmocka_unit_test(the_terminal_shows_the_tree),
        cmocka_unit_test(a_picture_has_each_node_and_each_link),
        cmocka_unit_test(a_picture_that_nobody_could_look_at_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
