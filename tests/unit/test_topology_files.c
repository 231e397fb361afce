/* SPDX-License-Identifier: BSD-3-Clause
 * The files of others, read from tests/unit/topologies: each says there why it exists. */
#include "expect.h"
#include "topology/topology.h"

#include <stdio.h>

static void expect_file(const char *file, const char *expected)
{
    char path[4096];
    struct star_topology *topology = NULL;
    struct star_text text = {0};
    struct star_why why = {{0}};
    snprintf(path, sizeof path, TOPOLOGIES "/%s", file);
    if (star_topology_read(path, &topology, &why))
        fail_msg("%s", why.text);
    star_topology_write(topology, &text);
    assert_string_equal(text.bytes, expected);
    star_text_free(&text);
    star_topology_free(topology);
}

static void expect_refused(const char *text, const char *place, const char *word)
{
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_parse(text, strlen(text), "test", &topology, &why) != STAR_EINPUT)
        fail_msg("'%s' was not refused", text);
    if (strncmp(why.text, place, strlen(place)) != 0)
        fail_msg("'%s' does not begin with '%s'", why.text, place);
    expect_reason(&why, word);
}

static void topology_conf_of_slurm(void **state)
{
    (void)state;
    expect_file("slurm.conf", "switch core\nswitch leaf1\nswitch leaf2\n"
                              "link core leaf1 10000\nhost tux08 leaf1 1000\nhost tux09 leaf1 1000\n"
                              "host tux10 leaf1 1000\nhost tux12 leaf1 1000\n"
                              "link core leaf2 10000\nhost login leaf2 1000\nhost r0n0 leaf2 1000\n"
                              "host r0n1 leaf2 1000\nhost r1n0 leaf2 1000\nhost r1n1 leaf2 1000\n");
}

static void bad_topology_conf_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *word;
    } bad[] = {
        {"SwitchName=s\n", "test: ", "no host"},
        {"SwitchName=s Nodes=\n", "test:1: ", "KEY=VALUE"},
        {"SwitchName=s Nodes=n[0-\n", "test:1: ", "without its ]"},
        {"SwitchName=s Nods=n0\n", "test:1: ", "unknown key 'Nods'"},
        {"SwitchName=s Nodes=n0\nNodes=n1\n", "test:2: ", "without SwitchName"},
        {"SwitchName=s Nodes=n0\nSwitchName=t Nodes=n0\n",
         "test:2: ", "'n0' is the name of a host in line 1"},
        {"SwitchName=s Nodes=n0\nSwitchName=s Nodes=n1\n", "test:2: ", "'s' is the name of a switch"},
        {"SwitchName=s Nodes=n0\nSwitchName=t Nodes=n1\n", "test:2: ", "not connected"},
        {"SwitchName=s0 Nodes=n0\nSwitchName=t Switches=s1\n", "test:2: ", "did you mean 's0'?"},
        {"SwitchName=s Nodes=n0 Switches=t\nSwitchName=t Switches=s\n", "test:2: ", "closes a cycle"},
        {"SwitchName=s Nodes=n0 LinkSpeed=0\n", "test:1: ", "from 0.01"},
        {"BlockName=b Nodes=n[0-3]\nBlockSizes=4\n", "test:1: ", "block topology"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, bad[i].place, bad[i].word);
}

#ifdef STARTUNE_HAS_YAML
static void topology_yaml_of_slurm(void **state)
{
    (void)state;
    expect_file("slurm.yaml",
                "switch root\nswitch s1\nswitch s2\nlink root s1\nhost node01 s1\nhost node02 s1\n"
                "link root s2\nhost node03 s2\nhost node04 s2\n");
}

static void bad_topology_yaml_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *word;
    } bad[] = {
        {"---\n", "test:1: ", "no topology with a tree"},
        {"- topology: a\n  flat: true\n", "test:1: ", "no topology with a tree"},
        {"- topology: a\n  tree:\n    switches:\n      - nodes: n0\n", "test:4: ", "switch: NAME"},
        {"- topology: a\n  tree:\n    switches:\n      - switch: s\n        nodes: [n0]\n",
         "test:4: ", "lists such as"},
        {"- topology: a\n  tree:\n    switches:\n      - switch: s\n        nodes: n[0-\n",
         "test:4: ", "without its ]"},
        {"- topology: a\n  tree:\n    switches:\n      - switch: s\n        children: t\n",
         "test:4: ", "unknown switch 't'"},
        {"- topology: a\n  tree: [\n", "test:3: ", "did not find"},
        {"- a: *b\n", "test:1: ", "undefined alias"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, bad[i].place, bad[i].word);
}
#endif

static void output_of_ibnetdiscover(void **state)
{
    (void)state;
    /* 8 cables between switches and 5 to hosts; 6 of them are the tree. */
    expect_file("fabric.ibnet", "# A spanning tree: 7 links are spare\nswitch spine1:MQM8700/U1\n"
                                "switch S-00000000000000c1\nswitch leaf2\n"
                                "link spine1:MQM8700/U1 S-00000000000000c1 200000\n"
                                "host n1 S-00000000000000c1 100000\nhost n2 S-00000000000000c1 200000\n"
                                "link spine1:MQM8700/U1 leaf2 200000\nhost n3 leaf2 200000\n"
                                "host H-00000000000000a5 leaf2 2000\n");
    expect_file("fabric-old.ibnet", "switch S-0000000000000001\nhost atlas35 S-0000000000000001\n"
                                    "host atlas34 S-0000000000000001\n");
}

static void bad_output_of_ibnetdiscover_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *word;
    } bad[] = {
        {"vendid=0x1\n", "test: ", "no switch in it"},
        {"vendid=0x1\nCa 1 \"H-1\" # \"n\"\n", "test: ", "no switch in it"},
        {"vendid=0x1\n[1] \"H-1\"[1] # \"n\"\n", "test:2: ", "before the first"},
        {"Switch 8 \"S-1\" # \"s\"\n", "test: ", "no host"},
        {"Switch 8 \"S-1\"\n", "test:1: ", "a section begins"},
        {"Switch 8 \"S-1\" # \"s\"\n[1] \"H-1\"[1]\n", "test:2: ", "is expected"},
        {"Switch 8 \"S-1\" # \"s\"\n[1 \"H-1\"[1] # \"n\"\n", "test:2: ", "is expected"},
        {"Switch 8 \"S-1\" # \"s\"\n[1] \"H-1\" # \"n\"\n", "test:2: ", "is expected"},
        {"Switch 8 \"S-1\" # \"s\"\n[1] \"H-1\"[1] # \"n\"\nSwitch 8 \"S-2\" # \"t\"\n",
         "test:3: ", "'t' is not connected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, bad[i].place, bad[i].word);
}

static void xml_of_hwloc(void **state)
{
    (void)state;
    expect_file("inside.xml", "switch node7\nswitch node7/package:0\nswitch node7/l3:0\nswitch node7/l3:1\n"
                              "switch node7/package:1\nswitch node7/l3:2\nswitch node7/l3:3\n"
                              "link node7 node7/package:0\nlink node7/package:0 node7/l3:0\n"
                              "host node7/core:0 node7/l3:0 slots=2\nhost node7/core:1 node7/l3:0 slots=2\n"
                              "link node7/package:0 node7/l3:1\n"
                              "host node7/core:2 node7/l3:1 slots=2\nhost node7/core:3 node7/l3:1 slots=2\n"
                              "link node7 node7/package:1\nlink node7/package:1 node7/l3:2\n"
                              "host node7/core:4 node7/l3:2 slots=2\nhost node7/core:5 node7/l3:2 slots=2\n"
                              "link node7/package:1 node7/l3:3\n"
                              "host node7/core:6 node7/l3:3 slots=2\nhost node7/core:7 node7/l3:3 slots=2\n");
}

static void bad_xml_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *word;
    } bad[] = {
        {"<?xml version=\"1.0\"?>\n<html/>\n", "test:3: ", "without an object of hwloc's"},
        {"<", "test:1: ", "this is no XML"},
        {"<topology>\n<object type=\"Machine\"", "test:2: ", "this is no XML: in a tag 'object'"},
        {"<topology>\n<object type=Machine>", "test:2: ", "this is no XML"},
        {"<topology>\n<object type=\"Machine\">\n", "test:3: ", "ends within the object of line 2"},
        {"<topology>\n</object>", "test:2: ", "did not begin"},
        {"<object type=\"Machine\"/>\n<object type=\"Machine\"/>\n", "test:2: ", "a second object"},
        {"<object type=\"Machine\"/>\n", "test: ", "no host"},
        {"<!-- <object type=\"Core\"/> -->\n", "test:2: ", "without an object"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, bad[i].place, bad[i].word);
}

/* Threads are the leaves where there are no cores, and hwloc 1 called packages sockets. */
static void xml_of_old_hwloc_without_cores(void **state)
{
    (void)state;
    static const char text[] = "<topology><object type='Machine'><object type='Socket'><object type='PU'/>\n"
                               "<object type='PU'/></object></object></topology>";
    struct star_topology *topology = NULL;
    struct star_text written = {0};
    assert_int_equal(star_topology_parse(text, sizeof text - 1, "test", &topology, NULL), 0);
    star_topology_write(topology, &written);
    assert_string_equal(written.bytes,
                        "switch machine\nswitch machine/package:0\nlink machine machine/package:0\n"
                        "host machine/pu:0 machine/package:0\nhost machine/pu:1 machine/package:0\n");
    star_text_free(&written);
    star_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topology_conf_of_slurm),
        cmocka_unit_test(bad_topology_conf_is_named),
#ifdef STARTUNE_HAS_YAML
        cmocka_unit_test(topology_yaml_of_slurm),
        cmocka_unit_test(bad_topology_yaml_is_named),
#endif
        cmocka_unit_test(output_of_ibnetdiscover),
        cmocka_unit_test(bad_output_of_ibnetdiscover_is_named),
        cmocka_unit_test(xml_of_hwloc),
        cmocka_unit_test(bad_xml_is_named),
        cmocka_unit_test(xml_of_old_hwloc_without_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
