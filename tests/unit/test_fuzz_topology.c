/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated topology files: each is refused with a reason, or accepted and survives writing and reading
 * (tests/fuzz/topology.c). fuzz.h says how. */
#include "../fuzz/targets.h"
#include "fuzz.h"

#include <stdio.h>

static long rounds;

static const char *const pieces[] = {
    "switch ",
    "link ",
    "host ",
    "spanning-tree\n",
    "islands\n",
    "slots=",
    " 1G",
    "[0-3]",
    "[0-99]x[0-9]",
    "[",
    "]",
    ",",
    "-",
    "\n",
    "#",
    "=",
    "SwitchName=s Nodes=n\n",
    "Switches=",
    "sysimgguid=0x1\n",
    " mlx5_0",
    "Nodes=",
    "s0",
    "s1",
    "n0",
    "children: ",
    "- ",
    "*a",
    "&a ",
    "\"",
    "\"S-1\"",
    "[1]",
    "4xHDR",
    "<object type=",
    "/>",
    "\\\n",
    "99999999999999999999",
    "\xff",
    " ",
    "nan",
    "0",
    "1e308",
    "'",
    "|",
    "{",
};

/* The same as test_topology_files.c reads, and some in our own format. */
static const char *const files[] = {"slurm.conf",         "slurm-islands.conf", "slurm.yaml", "fabric.ibnet",
                                    "fabric-hosts.ibnet", "fabric-old.ibnet",   "inside.xml"};
static const char *const texts[] = {
    "switch hub\nswitch s[0-2]\nlink hub s[0-2] 1G\nhost a[0-2] s0 100\nhost b[0-2] s1 100 slots=4\n"
    "host c[00-02] s2 # comment\n",
    "spanning-tree\nswitch d,c,b,a\nlink a b 100\nlink a c 100\nlink b d 10\nlink c d 2.5G\nhost n[0-1] d\n"
    "host m b\n",
    "switch s\nhost n s\n"};

static void fuzz_text(const char *begin, size_t length)
{
    fuzz(fuzz_topology, begin, length, pieces, sizeof pieces / sizeof *pieces, rounds, 0);
}

static void text_is_read_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_text(texts[i], strlen(texts[i]));
}

static void fuzz_file(const char *name)
{
    char path[4096], text[FUZZ_ROOM];
    snprintf(path, sizeof path, TOPOLOGIES "/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    fuzz_text(text, length);
}

static void files_of_others_are_read_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fuzz_file(files[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_or_refused),
        cmocka_unit_test(files_of_others_are_read_or_refused),
    };
    rounds = fuzz_rounds(2000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
