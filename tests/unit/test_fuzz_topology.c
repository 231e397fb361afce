/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated topology files: each is refused with a reason, or accepted and survives writing and reading. fuzz.h
 * says how. */
#include "fuzz.h"
#include "topology/graph.h"

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

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* TEXT in lines, which are sorted but for the first; without a comment. */
static char **sorted_lines(char *text, size_t *count)
{
    size_t lines = 0, room = 1;
    for (const char *c = text; *c; c++)
        room += *c == '\n';
    char **line = malloc(room * sizeof *line);
    assert_non_null(line);
    for (char *one; (one = strsep(&text, "\n")) != NULL;)
        if (one[0] != '#')
            line[lines++] = one;
    qsort(line + 1, lines - 1, sizeof *line, compare_lines);
    *count = lines;
    return line;
}

/* Writing and reading may change the order of what hangs on a switch, and nothing else. */
static void expect_same_tree(const struct star_topology *topology, const struct star_topology *again)
{
    struct star_text first = {0}, second = {0};
    size_t first_count, second_count;
    assert_int_equal(topology->machines, again->machines);
    assert_int_equal(topology->has_speeds, again->has_speeds);
    star_topology_write(topology, &first);
    star_topology_write(again, &second);
    char **a = sorted_lines(first.bytes, &first_count), **b = sorted_lines(second.bytes, &second_count);
    assert_int_equal(first_count, second_count);
    for (size_t i = 0; i < first_count; i++)
        assert_string_equal(a[i], b[i]);
    free(a);
    free(b);
    star_text_free(&first);
    star_text_free(&second);
}

static void expect_tree(const struct star_topology *topology)
{
    assert_true(topology->machines >= 1 && topology->root == 0 && topology->node[0].parent == -1);
    for (int i = 0; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        assert_true(i == 0 || (node->parent >= 0 && node->parent < i && node->mbps > 0));
        assert_true(i == 0 || !topology->node[node->parent].machine);
        assert_true(node->machine || (i + 1 < topology->nodes && topology->node[i + 1].parent == i));
        assert_true(!node->machine || star_topology_machine(topology, node->name) == i);
        assert_true(star_graph_name_is_good(node->name) || (i == 0 && topology->islands > 1));
    }
}

static void accept(const struct star_topology *topology)
{
    struct star_topology *again = NULL;
    struct star_text text = {0}, picture = {0};
    struct star_why why = {{0}};
    expect_tree(topology);
    star_topology_write(topology, &text);
    if (star_topology_parse(text.bytes, text.length, "again", &again, &why))
        fail_msg("%s\n%s", why.text, text.bytes);
    expect_same_tree(topology, again);
    star_topology_draw(topology, &picture, &why); /* or refused, as it is too large */
    star_topology_svg(topology, &picture, &why);
    star_topology_json(topology, &picture);
    assert_false(picture.failed);
    star_topology_free(again);
    star_text_free(&text);
    star_text_free(&picture);
}

static int read_topology(const char *text, size_t length, struct star_why *why)
{
    struct star_topology *topology = NULL;
    int error = star_topology_parse(text, length, "fuzz", &topology, why);
    if (error)
        assert_null(topology);
    else
        accept(topology);
    star_topology_free(topology);
    return error;
}

static void fuzz_text(const char *begin, size_t length)
{
    fuzz(read_topology, begin, length, pieces, sizeof pieces / sizeof *pieces, rounds, 0);
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
