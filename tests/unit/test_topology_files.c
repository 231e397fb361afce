/* SPDX-License-Identifier: BSD-3-Clause
 * The files of others, read from tests/unit/topologies: each says there why it exists. */
#include "expect.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/file_write.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <unistd.h>

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

static void expect_text(const char *given, const char *expected)
{
    struct star_topology *topology = NULL;
    struct star_text text = {0};
    struct star_why why = {{0}};
    if (star_topology_parse(given, strlen(given), "test", &topology, &why))
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

static void topology_conf_of_several_islands(void **state)
{
    (void)state;
    expect_file(
        "slurm-islands.conf",
        "# A spanning tree: 2 links are spare\nislands\nswitch spine1\nswitch ibl1\nswitch ibl2\n"
        "switch ibl3\nswitch opa1\nlink spine1 ibl1 1000\nhost cn001 ibl1 1000\nhost cn002 ibl1 1000\n"
        "host gpu01 ibl1 1000\nhost gpu03 ibl1 1000\nlink spine1 ibl2 1000\nhost cn003 ibl2 100\n"
        "link spine1 ibl3 1000\nhost cn004 ibl3 1000\nhost cn005 ibl3 1000\nhost old9 opa1 1000\n"
        "host old10 opa1 1000\n");
}

static void topology_conf_that_includes_another(void **state)
{
    (void)state;
    expect_file("slurm-include.conf",
                "switch core\nswitch leaf1\nswitch leaf2\nlink core leaf1 40000\nhost a1 leaf1 1000\n"
                "host a2 leaf1 1000\nlink core leaf2 40000\nhost b1 leaf2 1000\n");
}

/* A file of its own in a new folder, which the other one may include. */
static void with_included(const char *outer, const char *inner, const char *reason)
{
    char folder[] = "/tmp/startune-include-XXXXXX", path[100], other[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/outer.conf", folder);
    snprintf(other, sizeof other, "%s/inner.conf", folder);
    assert_int_equal(star_file_write(path, outer, strlen(outer), NULL), 0);
    assert_int_equal(star_file_write(other, inner, strlen(inner), NULL), 0);
    struct star_topology *topology = NULL;
    struct star_why why = {{0}};
    if (star_topology_read(path, &topology, &why) != STAR_EINPUT)
        fail_msg("'%s' was not refused", outer);
    expect_reason(&why, reason);
    unlink(path);
    unlink(other);
    rmdir(folder);
}

static void included_files_are_named_and_bounded(void **state)
{
    (void)state;
    with_included("include inner.conf\n", "SwitchName=s Nods=n\n", "/inner.conf:1: unknown key 'Nods'");
    with_included("\ninclude nowhere.conf\n", "", "/outer.conf:2: include: ");
    with_included("SwitchName=s Nodes=n\ninclude inner.conf\n", "\nSwitchName=s Nodes=m\n",
                  "/inner.conf:2: 's' is the name of a switch in line 1 of ");
    with_included("include inner.conf\nSwitchName=t Switches=s\n", "SwitchName=s Nodes=n Switches=t\n",
                  ".conf:");
    with_included("include outer.conf\n", "", "within each other");
    with_included("include /dev/zero\n", "", "/outer.conf:1: include: /dev/zero is no file");
    with_included("include .\n", "", "is no file");
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
        {"SwitchName=s Nodes=n0\nSwitchName=n0 Nodes=n1\n",
         "test:1: ", "'n0' is the name of a switch in line 2"},
        {"SwitchName=s Nodes=n0\nSwitchName=s Nodes=n1\n", "test:2: ", "'s' is the name of a switch"},
        {"SwitchName=s0 Nodes=n0\nSwitchName=t Switches=s1\n", "test:2: ", "did you mean 's0'?"},
        {"SwitchName=s Nodes=n0 Switches=t\nSwitchName=t Switches=s\n", "test:", "closes a cycle"},
        {"SwitchName=s Nodes=n0 Switches=s\n", "test:1: ", "'s' and 's' closes a cycle"},
        {"SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=b,d\nSwitchName=d "
         "Nodes=n\n",
         "test:", "between 'c' and 'b' closes a cycle"},
        {"SwitchName=s Nodes=n0 LinkSpeed=0\n", "test:1: ", "from 0.01"},
        {"SwitchName=s Nodes\n", "test:1: ", "'Nodes': KEY=VALUE"},
        {"SwitchName=s Nodes=n0 =5\n", "test:1: ", "unknown key ''"},
        {"BlockName=b Nodes=n[0-3]\nBlockSizes=4\n", "test:1: ", "block topology"},
        {"ringname=r Nodes=n[0-3]\n", "test:1: ", "a ring topology says nothing of switches"},
        {"include  \n", "test:1: ", "unknown word 'include'"},
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
        {"- a: *b\n", "test:1: ", "*b: a topology needs neither anchors nor aliases"},
        {"- a\n- &b c\n", "test:2: ", "&b: a topology needs neither"},
        {"%YAML 1.1\n%TAG !a! a\n%TAG !b! a\n%TAG !c! a\n%TAG !d! a\n%TAG !e! a\n%TAG !f! a\n%TAG !g! a\n"
         "%TAG !h! a\n---\n",
         "test:9: ", "more than 8 lines that begin with %"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, bad[i].place, bad[i].word);
}

/* A million of brackets took libyaml hours. */
static void yaml_that_is_nested_deeply_is_refused_early(void **state)
{
    (void)state;
    enum { DEEP = 1 << 20 };
    static const char *const begins[] = {"[", "{", "{a: ", "- ", "? "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        struct star_text text = {0};
        star_text_add(&text, "- ");
        for (int k = 0; k < DEEP; k++)
            star_text_append(&text, begins[i], strlen(begins[i]));
        expect_refused(text.bytes, "test:1: ", "nested more than 64 deep");
        star_text_free(&text);
    }
}

static void topology_yaml_of_several_islands(void **state)
{
    (void)state;
    static const char text[] =
        "- topology: a\n  tree:\n    switches:\n      - switch: s\n        nodes: n[0-1]\n"
        "      - switch: t\n        nodes: n[1-2]\n      - switch: u\n        nodes: m\n"
        "      - switch: v\n        children: s,t\n";
    expect_text(text,
                "# A spanning tree: 1 links are spare\nislands\nswitch u\nswitch v\nswitch s\nswitch t\n"
                "host m u\nlink v s\nhost n0 s\nhost n1 s\nlink v t\nhost n2 t\n");
}
#endif

static void output_of_ibnetdiscover(void **state)
{
    (void)state;
    /* 8 cables between switches and 5 to hosts; 6 of them are the tree. */
    expect_file("fabric.ibnet",
                "# A spanning tree: 7 links are spare\n"
                "# Hosts with an id for a name: 1; what they are called is no name, or that of others\n"
                "switch spine1:MQM8700/U1\n"
                "switch S-00000000000000c1\nswitch leaf2\n"
                "link spine1:MQM8700/U1 S-00000000000000c1 200000\n"
                "host n1 S-00000000000000c1 100000\nhost n2 S-00000000000000c1 200000\n"
                "link spine1:MQM8700/U1 leaf2 200000\nhost n3 leaf2 200000\n"
                "host H-00000000000000a5 leaf2 2000\n");
    expect_file("fabric-old.ibnet", "switch S-0000000000000001\nhost atlas35 S-0000000000000001\n"
                                    "host atlas34 S-0000000000000001\n");
}

static void hosts_in_output_of_ibnetdiscover(void **state)
{
    (void)state;
    expect_file(
        "fabric-hosts.ibnet",
        "# A spanning tree: 2 links are spare\n"
        "# Hosts with an id for a name: 6; what they are called is no name, or that of others\n"
        "switch S-aa00000000000100\nhost n1 S-aa00000000000100 100000\nhost n2 S-aa00000000000100 100000\n"
        "host n3 S-aa00000000000100 100000\nhost n4 S-aa00000000000100 100000\n"
        "host ib01 S-aa00000000000100 100000\nhost ib02 S-aa00000000000100 100000\n"
        "host H-c1 S-aa00000000000100 100000\nhost H-c2 S-aa00000000000100 100000\n"
        "host H-c3 S-aa00000000000100 100000\nhost H-c4 S-aa00000000000100 100000\n"
        "host n8 S-aa00000000000100 100000\nhost n9 S-aa00000000000100 100000\n"
        "host n10.cluster.org S-aa00000000000100 100000\nhost H-f2 S-aa00000000000100 100000\n"
        "host H-f3 S-aa00000000000100 100000\n");
}

/* Two planes of one fabric in a file: the hosts are on both, and their first links count. */
static void two_planes_of_ibnetdiscover(void **state)
{
    (void)state;
    static const char text[] =
        "Switch 8 \"S-1\" # \"left\"\n[1] \"H-1\"[1] # \"n1 mlx5_0\"\n[2] \"H-2\"[1] # \"n2 mlx5_0\"\n"
        "Switch 8 \"S-2\" # \"right\"\n[1] \"H-3\"[1] # \"n1 mlx5_1\"\n[2] \"H-4\"[1] # \"n2 mlx5_1\"\n";
    struct star_topology *topology = NULL;
    assert_int_equal(star_topology_parse(text, sizeof text - 1, "test", &topology, NULL), 0);
    assert_int_equal(topology->islands, 0);
    assert_int_equal(topology->machines, 2);
    assert_string_equal(topology->node[0].name, "left");
    assert_int_equal(topology->spare, 2);
    star_topology_free(topology);
}

/* … and where one host is on another network alone, each stays where its first link leads to, however fast
 * the second one is. */
static void two_planes_of_ibnetdiscover_are_islands(void **state)
{
    (void)state;
    static const char text[] = "Switch 8 \"S-1\" # \"left\"\n[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 1 4xSDR\n"
                               "Switch 8 \"S-2\" # \"right\"\n[1] \"H-3\"[1] # \"n1 mlx5_1\" lid 1 4xEDR\n"
                               "[2] \"H-4\"[1] # \"n2 mlx5_1\" lid 1 4xEDR\n";
    expect_text(
        text, "# A spanning tree: 1 links are spare\nislands\nswitch left\nswitch right\nhost n1 left 8000\n"
              "host n2 right 100000\n");
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
        cmocka_unit_test(topology_conf_of_several_islands),
        cmocka_unit_test(topology_conf_that_includes_another),
        cmocka_unit_test(included_files_are_named_and_bounded),
        cmocka_unit_test(bad_topology_conf_is_named),
#ifdef STARTUNE_HAS_YAML
        cmocka_unit_test(topology_yaml_of_slurm),
        cmocka_unit_test(bad_topology_yaml_is_named),
        cmocka_unit_test(yaml_that_is_nested_deeply_is_refused_early),
        cmocka_unit_test(topology_yaml_of_several_islands),
#endif
        cmocka_unit_test(output_of_ibnetdiscover),
        cmocka_unit_test(hosts_in_output_of_ibnetdiscover),
        cmocka_unit_test(two_planes_of_ibnetdiscover),
        cmocka_unit_test(two_planes_of_ibnetdiscover_are_islands),
        cmocka_unit_test(bad_output_of_ibnetdiscover_is_named),
        cmocka_unit_test(xml_of_hwloc),
        cmocka_unit_test(bad_xml_is_named),
        cmocka_unit_test(xml_of_old_hwloc_without_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
